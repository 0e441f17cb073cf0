//! Interim: agreement table.
use noslip::Limits;
use noslip::forms::{Applicability, FORMS, Workbench};
use noslip::model::Model;
use std::time::Instant;
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut model = match Model::load(&text, &path, &Limits::default()) {
            Ok(m) => m,
            Err(e) => {
                println!("{path} {e:?}");
                continue;
            }
        };
        let mut w = Workbench::new(&mut model.arena, &model.system);
        let start = Instant::now();
        let mut line = String::new();
        for f in FORMS {
            if let Applicability::DoesNotApply(_) = f.applies(&mut w) {
                continue;
            }
            let t0 = Instant::now();
            let eq = f.derive(&mut w).unwrap();
            let t1 = t0.elapsed();
            let a = noslip::verify::agreement(&mut w, &eq);
            let t2 = t0.elapsed();
            if !matches!(a, noslip::verify::Agreement::Proved) || t2.as_millis() > 300 {
                line += &format!("   {} {:?} derive {t1:?} total {t2:?}\n", f.id(), a);
            }
        }
        println!("{path} {:?}\n{line}", start.elapsed());
    }
}
