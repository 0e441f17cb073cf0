//! The systems that are timed.

/// Name and model file.
pub fn models() -> Vec<(String, String)> {
    let mut models: Vec<(String, String)> =
        [("sleigh", SLEIGH), ("disk", DISK), ("car", CAR), ("ellipsoid", ELLIPSOID)]
            .into_iter()
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .collect();
    for n in [3, 8] {
        models.push((format!("{n} trailers"), trailers(n)));
    }
    models
}

const SLEIGH: &str = r#"noslip = 1
[system]
name = "Knife-edge sleigh"
coordinates = ["x", "y", "phi"]
[parameters]
m = 1.7
I = 0.9
l = 0.55
[energy]
kinetic = "1/2*m*(x'^2 + y'^2) + 1/2*I*phi'^2 + m*l*phi'*(-x'*sin(phi) + y'*cos(phi))"
potential = "0"
[constraints]
knife = "x'*sin(phi) - y'*cos(phi)"
"#;

const DISK: &str = r#"noslip = 1
[system]
name = "Rolling disk"
coordinates = ["phi", "theta", "psi", "x", "y"]
[parameters]
m = 1.4
r = 0.6
g = 9.81
[energy]
kinetic = "1/2*m*((x'-r*phi'*cos(phi)*cos(theta)+r*theta'*sin(phi)*sin(theta))^2+(y'-r*phi'*sin(phi)*cos(theta)-r*theta'*cos(phi)*sin(theta))^2+r^2*theta'^2*cos(theta)^2)+1/8*m*r^2*(phi'^2*sin(theta)^2+theta'^2)+1/4*m*r^2*(phi'*cos(theta)+psi')^2"
potential = "m*g*r*sin(theta)"
[constraints]
along_x = "r*psi'*cos(phi) + x'"
along_y = "r*psi'*sin(phi) + y'"
"#;

const CAR: &str = r#"noslip = 1
[system]
name = "Car"
coordinates = ["x", "y", "phi", "theta"]
[parameters]
M = 1.3
m = 0.7
J1 = 0.8
J2 = 0.3
l1 = 0.75
L = 1.2
F = 2.0
[energy]
kinetic = "1/2*M*(x'^2+y'^2)+1/2*J1*phi'^2+1/2*m*((x'-l1*phi'*sin(phi))^2+(y'+l1*phi'*cos(phi))^2)+1/2*J2*(phi'+theta')^2"
potential = "0"
[forces]
x = "F*cos(phi)"
y = "F*sin(phi)"
[constraints]
rear = "-x'*sin(phi) + y'*cos(phi)"
front = "-x'*sin(phi+theta) + y'*cos(phi+theta) + L*phi'*cos(theta)"
"#;

const ELLIPSOID: &str = r#"noslip = 1
[system]
name = "Ellipsoid on a plane"
coordinates = ["xi", "eta", "zeta", "psi", "theta", "phi"]
[parameters]
M = 1.7
a = 0.9
b = 0.6
c = 0.4
g = 9.81
[definitions]
h = "sqrt(a^2*sin(theta)^2*sin(phi)^2+b^2*sin(theta)^2*cos(phi)^2+c^2*cos(theta)^2)"
u = "-((a^2-b^2)*sin(psi)*sin(theta)*sin(phi)*cos(phi)+(a^2*sin(phi)^2+b^2*cos(phi)^2-c^2)*cos(psi)*cos(theta)*sin(theta))/h"
v = "-((a^2-b^2)*sin(theta)*cos(psi)*sin(phi)*cos(phi)+(c^2-a^2*sin(phi)^2-b^2*cos(phi)^2)*sin(psi)*cos(theta)*sin(theta))/h"
w1 = "phi'*sin(psi)*sin(theta)+theta'*cos(psi)"
w2 = "-phi'*cos(psi)*sin(theta)+theta'*sin(psi)"
w3 = "phi'*cos(theta)+psi'"
[energy]
kinetic = "M/2*(xi'^2+eta'^2+zeta'^2)+1/2*(M*(b^2+c^2)/5*(psi'*sin(theta)*sin(phi)+theta'*cos(phi))^2+M*(c^2+a^2)/5*(psi'*sin(theta)*cos(phi)-theta'*sin(phi))^2+M*(a^2+b^2)/5*(psi'*cos(theta)+phi')^2)"
potential = "M*g*zeta"
[constraints]
first = "xi' - w2*h - w3*u"
second = "eta' + w3*v + w1*h"
third = "zeta' + w1*u - w2*v"
"#;

/// A tractor and n trailers, each hitched to the axle before it; every axle rolls without sideways slip.
fn trailers(n: usize) -> String {
    let angles: Vec<String> = (0..=n).map(|i| format!("a{i}")).collect();
    let mut kinetic = vec!["1/2*J*a0'^2".to_owned()];
    let mut constraints = Vec::new();
    let (mut x, mut y) = ("x'".to_owned(), "y'".to_owned());
    for (i, a) in angles.iter().enumerate() {
        if i > 0 {
            // The axle is one length behind the one in front.
            x = format!("{x} + l*{a}'*sin({a})");
            y = format!("{y} - l*{a}'*cos({a})");
            kinetic.push(format!("1/2*J*{a}'^2"));
        }
        kinetic.push(format!("1/2*m*(({x})^2 + ({y})^2)"));
        constraints.push(format!("axle{i} = \"-({x})*sin({a}) + ({y})*cos({a})\""));
    }
    format!(
        "noslip = 1\n[system]\nname = \"{n} trailers\"\ncoordinates = [\"x\", \"y\", {}]\n[parameters]\nm = 1.3\nJ = 0.4\nl = 0.8\n\
         F = 1.5\n[energy]\nkinetic = \"{}\"\npotential = \"0\"\n[forces]\nx = \"F*cos(a0)\"\ny = \"F*sin(a0)\"\n[constraints]\n{}\n",
        angles.iter().map(|a| format!("\"{a}\"")).collect::<Vec<_>>().join(", "),
        kinetic.join(" + "),
        constraints.join("\n"),
    )
}
