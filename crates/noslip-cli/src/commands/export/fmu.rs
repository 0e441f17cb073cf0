//! A functional mock-up unit for model exchange, FMI 2.0 or 3.0: description, sources, and the library where a C compiler is
//! at hand.
//!
//! States are q and q̇, parameters stay open. Outputs are the coordinates and the multipliers. After a step that has left the
//! constraints the unit asks for an event, at which the state goes back to them by the least change in the kinetic metric.

use crate::failure::Failure;
use noslip::Error;
use std::fmt::Write;
use std::io::Write as _;
use std::process::Command;

const FMI2: &str = include_str!("fmi2.c");
const FMI3: &str = include_str!("fmi3.c");
const PROJECT: &str = include_str!("project.h");

/// What an FMU is made of.
pub(super) struct Unit<'a> {
    pub title: &'a str,
    /// Identifier of the model in C.
    pub name: &'a str,
    /// The function that gives accelerations, multipliers and growth.
    pub function: &'a str,
    pub code: &'a str,
    pub coordinates: &'a [String],
    pub parameters: &'a [(String, f64)],
    pub multipliers: &'a [String],
    /// Sources and names of the functions that give the changes of q̇ and q back to the constraints.
    pub velocities: Option<(String, String)>,
    pub positions: Option<(String, String)>,
    /// t, q, q̇ at the start.
    pub start: &'a [f64],
    pub until: f64,
}

/// A variable of the description.
struct Variable {
    name: String,
    reference: usize,
    causality: &'static str,
    variability: &'static str,
    start: Option<f64>,
    /// The reference of the variable it is the derivative of.
    derivative: Option<usize>,
}

impl Variable {
    /// The attributes that say how it begins: where its value comes from, and the value.
    fn beginning(&self) -> (&'static str, String) {
        let initial = match (self.causality, self.start) {
            ("independent", _) => "",
            (_, Some(_)) => " initial=\"exact\"",
            (_, None) => " initial=\"calculated\"",
        };
        (initial, self.start.map_or(String::new(), |x| format!(" start=\"{x:?}\"")))
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// FNV-1a, twice: the same model gets the same token.
fn token(text: &str) -> String {
    let hash = |seed: u64| text.bytes().fold(seed, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3));
    let (a, b) = (hash(0xcbf2_9ce4_8422_2325), hash(0x6c62_272e_07bb_0142));
    format!(
        "{{{:08x}-{:04x}-{:04x}-{:04x}-{:012x}}}",
        a >> 32,
        (a >> 16) & 0xffff,
        a & 0xffff,
        b >> 48,
        b & 0xffff_ffff_ffff
    )
}

impl Unit<'_> {
    /// References: 0 the time; q; q̇; parameters; q̈, multipliers and growth.
    fn variables(&self) -> Vec<Variable> {
        let (n, p) = (self.coordinates.len(), self.parameters.len());
        let mut list = Vec::new();
        let mut add = |name: String, reference, causality, variability, start, derivative| {
            list.push(Variable { name, reference, causality, variability, start, derivative });
        };
        add("time".into(), 0, "independent", "continuous", None, None);
        for (i, q) in self.coordinates.iter().enumerate() {
            add(q.clone(), 1 + i, "output", "continuous", Some(self.start[1 + i]), None);
        }
        for (i, q) in self.coordinates.iter().enumerate() {
            add(format!("der({q})"), 1 + n + i, "local", "continuous", Some(self.start[1 + n + i]), Some(1 + i));
        }
        for (i, (name, value)) in self.parameters.iter().enumerate() {
            add(name.clone(), 1 + 2 * n + i, "parameter", "tunable", Some(*value), None);
        }
        let out = 1 + 2 * n + p;
        for (i, q) in self.coordinates.iter().enumerate() {
            add(format!("der({q},2)"), out + i, "local", "continuous", None, Some(1 + n + i));
        }
        for (j, m) in self.multipliers.iter().enumerate() {
            add(m.clone(), out + n + j, "output", "continuous", None, None);
        }
        list
    }

    fn description2(&self, token: &str, sources: &[&str]) -> String {
        let variables = self.variables();
        let index = |reference: usize| variables.iter().position(|v| v.reference == reference).map_or(0, |i| i + 1);
        let mut xml = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"2.0\" modelName=\"{}\" guid=\"{token}\" \
             generationTool=\"noslip {}\" variableNamingConvention=\"structured\" numberOfEventIndicators=\"0\">\n  \
             <ModelExchange modelIdentifier=\"{}\" canGetAndSetFMUstate=\"true\"><SourceFiles>",
            escape(self.title),
            env!("CARGO_PKG_VERSION"),
            self.name
        );
        for file in sources {
            let _ = write!(xml, "<File name=\"{file}\"/>");
        }
        let _ = write!(
            xml,
            "</SourceFiles></ModelExchange>\n  <DefaultExperiment startTime=\"{:?}\" stopTime=\"{:?}\" tolerance=\"1e-9\"/>\n  <ModelVariables>\n",
            self.start[0], self.until
        );
        for v in &variables {
            let (initial, start) = v.beginning();
            let derivative = v.derivative.map_or(String::new(), |r| format!(" derivative=\"{}\"", index(r)));
            let _ = writeln!(
                xml,
                "    <ScalarVariable name=\"{}\" valueReference=\"{}\" causality=\"{}\" variability=\"{}\"{initial}><Real{start}{derivative}/></ScalarVariable>",
                escape(&v.name),
                v.reference,
                v.causality,
                v.variability
            );
        }
        let unknowns = |choose: &dyn Fn(&Variable) -> bool| -> String {
            variables
                .iter()
                .filter(|v| choose(v))
                .map(|v| format!("<Unknown index=\"{}\"/>", index(v.reference)))
                .collect()
        };
        let _ = write!(
            xml,
            "  </ModelVariables>\n  <ModelStructure><Outputs>{}</Outputs><Derivatives>{}</Derivatives><InitialUnknowns>{}</InitialUnknowns></ModelStructure>\n</fmiModelDescription>\n",
            unknowns(&|v| v.causality == "output"),
            unknowns(&|v| v.derivative.is_some()),
            unknowns(&|v| v.start.is_none() && v.causality != "independent")
        );
        xml
    }

    fn description3(&self, token: &str) -> String {
        let variables = self.variables();
        let mut xml = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"3.0\" modelName=\"{}\" \
             instantiationToken=\"{token}\" generationTool=\"noslip {}\" variableNamingConvention=\"structured\">\n  \
             <ModelExchange modelIdentifier=\"{}\"/>\n  <DefaultExperiment startTime=\"{:?}\" stopTime=\"{:?}\" tolerance=\"1e-9\"/>\n  <ModelVariables>\n",
            escape(self.title),
            env!("CARGO_PKG_VERSION"),
            self.name,
            self.start[0],
            self.until
        );
        for v in &variables {
            let (initial, start) = v.beginning();
            let derivative = v.derivative.map_or(String::new(), |r| format!(" derivative=\"{r}\""));
            let _ = writeln!(
                xml,
                "    <Float64 name=\"{}\" valueReference=\"{}\" causality=\"{}\" variability=\"{}\"{initial}{start}{derivative}/>",
                escape(&v.name),
                v.reference,
                v.causality,
                v.variability
            );
        }
        xml.push_str("  </ModelVariables>\n  <ModelStructure>\n");
        let mut list = |tag: &str, choose: &dyn Fn(&Variable) -> bool| {
            for v in variables.iter().filter(|v| choose(v)) {
                let _ = writeln!(xml, "    <{tag} valueReference=\"{}\"/>", v.reference);
            }
        };
        list("Output", &|v| v.causality == "output");
        list("ContinuousStateDerivative", &|v| v.derivative.is_some());
        list("InitialUnknown", &|v| v.start.is_none() && v.causality != "independent");
        xml.push_str("  </ModelStructure>\n</fmiModelDescription>\n");
        xml
    }

    fn header(&self, token: &str) -> String {
        let numbers =
            |list: &mut dyn Iterator<Item = f64>| list.map(|x| format!("{x:?}")).collect::<Vec<_>>().join(", ");
        let (n, p) = (self.coordinates.len(), self.parameters.len());
        let mut start = self.start.iter().copied().chain(self.parameters.iter().map(|(_, x)| *x));
        let mut corrections = String::new();
        for (word, code) in [("POSITIONS", &self.positions), ("VELOCITIES", &self.velocities)] {
            if let Some((_, function)) = code {
                let _ = writeln!(
                    corrections,
                    "#define {word} {function}\nvoid {function}(const double *restrict in, double *restrict out);"
                );
            }
        }
        format!(
            "{corrections}#define N {n}\n#define P {p}\n#define OUTPUTS {}\n#define MOTION {}\n#define TOKEN \"{token}\"\n\
             #define GROWTH_LIMIT {:e}\nvoid {}(const double *restrict in, double *restrict out);\n\
             static const double START[1 + 2 * N + P] = {{{}}};\n",
            n + self.multipliers.len() + 1,
            self.function,
            noslip::compile::GROWTH_LIMIT,
            self.function,
            numbers(&mut start)
        )
    }

    /// The files of C code, but for what is common to all units.
    fn sources(&self) -> Vec<(&'static str, &str)> {
        let mut files = vec![("motion.c", self.code)];
        for (name, code) in [("positions.c", &self.positions), ("velocities.c", &self.velocities)] {
            files.extend(code.as_ref().map(|(text, _)| (name, text.as_str())));
        }
        files
    }

    /// The bytes of the unit, and whether it holds a library for this machine.
    pub(super) fn bytes(&self, version: u8) -> Result<(Vec<u8>, bool), Failure> {
        let token = token(self.code);
        let (glue, name) = if version == 2 { (FMI2, "fmi2.c") } else { (FMI3, "fmi3.c") };
        let header = self.header(&token);
        let sources = self.sources();
        let names: Vec<&str> = std::iter::once(name).chain(sources.iter().map(|(name, _)| *name)).collect();
        let description = match version {
            2 => self.description2(&token, &names),
            _ => self.description3(&token),
        };
        let mut files = vec![
            ("modelDescription.xml".to_owned(), description.into_bytes()),
            ("sources/model.h".to_owned(), header.clone().into_bytes()),
            (format!("sources/{name}"), glue.as_bytes().to_vec()),
            ("sources/project.h".to_owned(), PROJECT.as_bytes().to_vec()),
        ];
        files.extend(sources.iter().map(|(name, text)| (format!("sources/{name}"), text.as_bytes().to_vec())));
        if version == 3 {
            let list: String = names.iter().map(|name| format!("<SourceFile name=\"{name}\"/>")).collect();
            let build = format!(
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\"><BuildConfiguration \
                 modelIdentifier=\"{}\"><SourceFileSet language=\"C99\">{list}</SourceFileSet></BuildConfiguration>\
                 </fmiBuildDescription>\n",
                self.name
            );
            files.push(("sources/buildDescription.xml".to_owned(), build.into_bytes()));
        }
        let library = self.library(&header, glue)?;
        let built = library.is_some();
        files.extend(library.map(|bytes| (format!("binaries/{}", self.platform(version)), bytes)));
        Ok((super::zip::zip(&files), built))
    }

    fn platform(&self, version: u8) -> String {
        let (os, extension) = match std::env::consts::OS {
            "macos" => ("darwin", "dylib"),
            "windows" => ("windows", "dll"),
            _ => ("linux", "so"),
        };
        let folder = match (version, os) {
            (2, "linux") => "linux64".to_owned(),
            (2, "darwin") => "darwin64".to_owned(),
            (2, _) => "win64".to_owned(),
            _ => format!("{}-{os}", std::env::consts::ARCH),
        };
        format!("{folder}/{}.{extension}", self.name)
    }

    /// The library for this machine, if a C compiler is there.
    fn library(&self, header: &str, glue: &str) -> Result<Option<Vec<u8>>, Failure> {
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let known = Command::new(&compiler).arg("--version").output().is_ok_and(|o| o.status.success());
        if !known {
            return Ok(None);
        }
        let fail = |e: std::io::Error| {
            Failure::from(Error::computation(format!("the library of the FMU cannot be built: {e}")))
        };
        let folder = std::env::temp_dir().join(format!("noslip-fmu-{}-{}", std::process::id(), self.name));
        std::fs::create_dir_all(&folder).map_err(fail)?;
        let build = || -> Result<Vec<u8>, Failure> {
            let sources = self.sources();
            for (name, text) in
                [("model.h", header), ("project.h", PROJECT), ("fmi.c", glue)].iter().chain(&sources).copied()
            {
                std::fs::File::create(folder.join(name))
                    .and_then(|mut f| f.write_all(text.as_bytes()))
                    .map_err(fail)?;
            }
            let library = folder.join("library");
            let output = Command::new(&compiler)
                .args(["-O2", "-std=c99", "-shared", "-fPIC", "-o"])
                .arg(&library)
                .arg("fmi.c")
                .args(sources.iter().map(|(name, _)| name))
                .arg("-lm")
                .current_dir(&folder)
                .output()
                .map_err(fail)?;
            if !output.status.success() {
                let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
                return Err(Error::computation(format!("`{compiler}` refuses the code of the FMU\n{said}")).into());
            }
            std::fs::read(&library).map_err(fail)
        };
        let built = build();
        let _ = std::fs::remove_dir_all(&folder);
        built.map(Some)
    }
}
