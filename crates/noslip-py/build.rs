//! Where the linker has to be told that the interpreter brings the missing symbols, it is told.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
