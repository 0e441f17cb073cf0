//! Tables by the Arrow C stream interface: pyarrow, polars, pandas and DuckDB take them as they are, without a copy.
//!
//! The structures are those of <https://arrow.apache.org/docs/format/CStreamInterface.html>. What is exported holds a share of
//! the columns, and gives it back when the receiver calls `release`.

use numpy::ndarray::ArrayView1;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::{CString, c_char, c_int, c_void};
use std::sync::Arc;

/// A column: numbers, or words with the places where they end.
#[derive(Clone)]
pub enum Column {
    /// Doubles.
    Numbers(Arc<Vec<f64>>),
    /// Offsets and text.
    Words(Arc<(Vec<i32>, Vec<u8>)>),
}

impl Column {
    /// A column of numbers.
    pub fn numbers(values: Vec<f64>) -> Column {
        Column::Numbers(Arc::new(values))
    }

    /// A column of words.
    pub fn words<'a>(words: impl Iterator<Item = &'a str>) -> Column {
        let (mut ends, mut text) = (vec![0], Vec::new());
        for word in words {
            text.extend_from_slice(word.as_bytes());
            ends.push(i32::try_from(text.len()).unwrap_or(i32::MAX));
        }
        Column::Words(Arc::new((ends, text)))
    }

    fn len(&self) -> usize {
        match self {
            Column::Numbers(values) => values.len(),
            Column::Words(words) => words.0.len() - 1,
        }
    }
}

/// A table of named columns. `pyarrow.table(x)`, `polars.from_arrow(x)` and `pandas.DataFrame` through them take it; `x["name"]`
/// is a NumPy array that looks at the same memory, for reading.
#[pyclass(frozen, module = "noslip")]
pub struct Table {
    columns: Vec<(String, Column)>,
}

impl Table {
    /// A table; all columns are equally long.
    pub fn new(columns: Vec<(String, Column)>) -> Table {
        Table { columns }
    }

    fn rows(&self) -> usize {
        self.columns.first().map_or(0, |(_, c)| c.len())
    }
}

#[pymethods]
impl Table {
    /// Names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        self.columns.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.rows()
    }

    fn __len__(&self) -> usize {
        self.rows()
    }

    fn __getitem__<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let (py, table) = (slf.py(), slf.get());
        let Some((_, column)) = table.columns.iter().find(|(known, _)| known == name) else {
            return Err(PyKeyError::new_err(name.to_owned()));
        };
        match column {
            Column::Numbers(values) => {
                // SAFETY: the array holds the table, which never changes its columns.
                let view =
                    unsafe { PyArray1::borrow_from_array(&ArrayView1::from(&values[..]), slf.clone().into_any()) };
                view.readwrite().make_nonwriteable();
                Ok(view.into_any())
            }
            Column::Words(words) => {
                let (ends, text) = &**words;
                let text = std::str::from_utf8(text).unwrap_or("");
                let list: Vec<&str> = ends.windows(2).map(|w| &text[w[0] as usize..w[1] as usize]).collect();
                py.import("numpy")?.call_method1("array", (list,))
            }
        }
    }

    fn __repr__(&self) -> String {
        format!("<noslip.Table {} rows: {}>", self.rows(), self.column_names().join(", "))
    }

    /// The Arrow C stream of the table.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema; // the only one there is
        let private =
            Box::into_raw(Box::new(Source { columns: self.columns.clone(), rows: self.rows(), given: false }));
        let stream = Stream {
            get_schema: Some(get_schema),
            get_next: Some(get_next),
            get_last_error: Some(get_last_error),
            release: Some(release_stream),
            private_data: private.cast(),
        };
        PyCapsule::new_with_value_and_destructor(py, stream, c"arrow_array_stream", |mut stream, _| {
            if let Some(release) = stream.release {
                // SAFETY: the receiver has not taken the stream, so it is still ours to release.
                unsafe { release(&mut stream) };
            }
        })
    }
}

#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private_data: *mut c_void,
}

// SAFETY: a stream is a handle to columns that are shared read-only; the interface lets one thread use it at a time.
unsafe impl Send for Stream {}

/// What a stream gives: one batch.
struct Source {
    columns: Vec<(String, Column)>,
    rows: usize,
    given: bool,
}

/// What a schema owns: its name, and the list of its children.
struct SchemaOwned {
    _name: CString,
    children: Vec<*mut Schema>,
}

/// What an array owns: the list of its buffers, of its children, and a share of the column.
struct ArrayOwned {
    buffers: Vec<*const c_void>,
    children: Vec<*mut Array>,
    _column: Option<Column>,
}

fn schema(name: &str, format: &'static std::ffi::CStr, children: Vec<Schema>) -> Schema {
    let name = CString::new(name.replace('\0', "")).unwrap_or_default();
    let children = children.into_iter().map(|c| Box::into_raw(Box::new(c))).collect();
    let owned = Box::new(SchemaOwned { _name: name, children });
    let owned = Box::leak(owned);
    Schema {
        format: format.as_ptr(),
        name: owned._name.as_ptr(),
        metadata: std::ptr::null(),
        flags: 0,
        n_children: owned.children.len() as i64,
        children: owned.children.as_mut_ptr(),
        dictionary: std::ptr::null_mut(),
        release: Some(release_schema),
        private_data: std::ptr::from_mut(owned).cast(),
    }
}

fn array(rows: usize, buffers: Vec<*const c_void>, children: Vec<Array>, column: Option<Column>) -> Array {
    let children = children.into_iter().map(|c| Box::into_raw(Box::new(c))).collect();
    let owned = Box::leak(Box::new(ArrayOwned { buffers, children, _column: column }));
    Array {
        length: rows as i64,
        null_count: 0,
        offset: 0,
        n_buffers: owned.buffers.len() as i64,
        n_children: owned.children.len() as i64,
        buffers: owned.buffers.as_mut_ptr(),
        children: owned.children.as_mut_ptr(),
        dictionary: std::ptr::null_mut(),
        release: Some(release_array),
        private_data: std::ptr::from_mut(owned).cast(),
    }
}

fn array_of(column: &Column) -> Array {
    let buffers = match column {
        Column::Numbers(values) => vec![std::ptr::null(), values.as_ptr().cast()],
        Column::Words(words) => vec![std::ptr::null(), words.0.as_ptr().cast(), words.1.as_ptr().cast()],
    };
    array(column.len(), buffers, Vec::new(), Some(column.clone()))
}

// The functions below are called by the receiver with the structures made above.

unsafe extern "C" fn get_schema(stream: *mut Stream, out: *mut Schema) -> c_int {
    // SAFETY: `private_data` is the Source put there, and `out` is memory the receiver gave for a schema.
    unsafe {
        let source = &*(*stream).private_data.cast::<Source>();
        let children = source.columns.iter().map(|(name, column)| match column {
            Column::Numbers(_) => schema(name, c"g", Vec::new()),
            Column::Words(_) => schema(name, c"u", Vec::new()),
        });
        out.write(schema("", c"+s", children.collect()));
    }
    0
}

unsafe extern "C" fn get_next(stream: *mut Stream, out: *mut Array) -> c_int {
    // SAFETY: as above.
    unsafe {
        let source = &mut *(*stream).private_data.cast::<Source>();
        if std::mem::replace(&mut source.given, true) {
            // The end of a stream is an array that has been released.
            let mut end = array(0, Vec::new(), Vec::new(), None);
            release_array(&mut end);
            out.write(end);
        } else {
            let children = source.columns.iter().map(|(_, column)| array_of(column)).collect();
            out.write(array(source.rows, vec![std::ptr::null()], children, None));
        }
    }
    0
}

unsafe extern "C" fn get_last_error(_: *mut Stream) -> *const c_char {
    std::ptr::null()
}

unsafe extern "C" fn release_stream(stream: *mut Stream) {
    // SAFETY: the box was made in `__arrow_c_stream__`, and release is called once.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<Source>()));
        (*stream).release = None;
    }
}

unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: the boxes were made in `schema`, and release is called once.
    unsafe {
        let owned = Box::from_raw((*schema).private_data.cast::<SchemaOwned>());
        for &child in &owned.children {
            let mut child = Box::from_raw(child);
            if let Some(release) = child.release {
                release(&mut *child);
            }
        }
        (*schema).release = None;
    }
}

unsafe extern "C" fn release_array(array: *mut Array) {
    // SAFETY: the boxes were made in `array`; a child whose release is gone has been taken by the receiver.
    unsafe {
        let owned = Box::from_raw((*array).private_data.cast::<ArrayOwned>());
        for &child in &owned.children {
            let mut child = Box::from_raw(child);
            if let Some(release) = child.release {
                release(&mut *child);
            }
        }
        (*array).release = None;
    }
}
