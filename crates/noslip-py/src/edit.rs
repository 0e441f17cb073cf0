//! Other values in the text of a model, everything else kept as its author wrote it.

use crate::errors::ModelError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use toml_edit::{DocumentMut, InlineTable, Item, Table, Value};

/// A number or an expression.
fn value(of: &Bound<'_, PyAny>, name: &str) -> PyResult<Value> {
    if let Ok(text) = of.extract::<String>() {
        return Ok(Value::from(text));
    }
    let number: f64 = of.extract()?;
    if !number.is_finite() {
        return Err(ModelError::new_err(format!("{name} = {number}: a value is a finite number")));
    }
    if number.fract() == 0.0 && number.abs() < 1e15 {
        return Ok(Value::from(number as i64));
    }
    Ok(Value::from(number))
}

/// The table of that name in a table, made if it is not there.
fn table<'a>(inside: &'a mut Table, name: &str, inline: bool) -> PyResult<&'a mut dyn toml_edit::TableLike> {
    let item = inside.entry(name).or_insert_with(|| match inline {
        true => Item::Value(Value::InlineTable(InlineTable::new())),
        false => Item::Table(Table::new()),
    });
    item.as_table_like_mut().ok_or_else(|| ModelError::new_err(format!("`{name}` is not a section of the model")))
}

/// edit(text, parameters, initial) -> text
///
/// The text of the model with other values: `parameters` by name; `initial` by the name of a coordinate, of a velocity
/// (`theta'`), or `t`.
#[pyfunction]
pub fn edit(text: &str, parameters: &Bound<'_, PyDict>, initial: &Bound<'_, PyDict>) -> PyResult<String> {
    let mut document: DocumentMut =
        text.parse().map_err(|e: toml_edit::TomlError| ModelError::new_err(e.to_string()))?;
    for (name, x) in parameters {
        let name: String = name.extract()?;
        let new = value(&x, &name)?;
        let list = table(document.as_table_mut(), "parameters", false)?;
        match list.get_mut(&name) {
            Some(Item::Value(old)) => {
                // The comment behind a value stays.
                let decor = old.decor().clone();
                *old = new;
                *old.decor_mut() = decor;
            }
            _ => return Err(ModelError::new_err(format!("unknown parameter `{name}`"))),
        }
    }
    for (name, x) in initial {
        let name: String = name.extract()?;
        let new = Item::Value(value(&x, &name)?);
        let section = document.as_table_mut().entry("initial").or_insert_with(|| Item::Table(Table::new()));
        let section = section.as_table_mut().ok_or_else(|| ModelError::new_err("write `[initial]` as a section"))?;
        match name.strip_suffix('\'') {
            Some(of) => _ = table(section, "velocity", true)?.insert(of, new),
            None if name == "t" => _ = section.insert("time", new),
            None => _ = table(section, "position", true)?.insert(&name, new),
        }
    }
    Ok(document.to_string())
}
