//! Claims that tempt: true on one branch only, off by less than rounding, about branches, jumps, integrals and states that no motion
//! reaches. None may be called true that is false, or false that is true; and what was decided once stays decided.

use noslip_fuzz::claim_is_judged_right_as;

/// A claim, whether it is true (`None`: true wherever it has a value, or the judge alone knows), and whether it must be decided.
type Claim = (&'static str, Option<bool>, bool);

const MODELS: &[(&str, &[Claim])] = &[
    (
        r#"noslip = 1
[system]
name = "free"
coordinates = ["x", "y"]
[energy]
kinetic = "(x'^2+y'^2)/2"
potential = "0"
[initial]
position = { x = 1, y = 1 }
velocity = { x = -1, y = 0.5 }
"#,
        &[
            ("sign(x) = 1", Some(false), true),
            ("atan(tan(x)) = x", Some(false), true),
            ("atan2(sin(x),cos(x)) = x", Some(false), true),
            ("atan(x) + atan(1/x) = pi/2", Some(false), true),
            ("atan(x)+atan(1/x) = sign(x)*pi/2", Some(true), true),
            ("acos(cos(x)) = x", Some(false), true),
            ("atan2(y,x) = atan(y/x)", Some(false), true),
            ("2*atan(y/(x+sqrt(x^2+y^2))) = atan2(y,x)", Some(true), true),
            ("log(x^2) = 2*log(abs(x))", Some(true), true),
            ("log(x^2) = 2*log(x)", None, true),
            ("sqrt(x^2)=x", Some(false), true),
            ("sqrt(x*y)=sqrt(x)*sqrt(y)", None, true),
            ("abs(x*y) = abs(x)*abs(y)", Some(true), true),
            ("abs(x+y) = abs(x)+abs(y)", Some(false), true),
            ("abs(x'+5000) = x'+5000", Some(false), false),
            ("abs(x^2+1)=x^2+1", Some(true), false),
            ("abs(x^2 - 10^(-8)) = x^2 - 10^(-8)", Some(false), false),
            ("sqrt((x-y)^4) = (x-y)^2", Some(true), true),
            ("(x^6)^(1/2) = x^3", Some(false), true),
            ("((x)^3)^(1/3) = x", None, true),
            ("sin(x)^2+cos(x)^2 = 1 + 1e-15", Some(false), true),
            ("x'' = 1e-300", Some(false), false),
            ("x''*1e300 = y''", Some(true), true),
            ("exp(log(x)) = x", None, true),
            ("sign(x)*abs(x) = x", Some(true), true),
            ("sign(x)^2 = 1", None, true),
            ("asin(x) + acos(x) = pi/2", Some(true), true),
            ("asin(x/1000000) + acos(x/1000000) = pi/2", Some(true), true),
            ("acos(x) = atan2(sqrt(1-x^2), x)", Some(true), true),
            ("tan(x/2) = (1-cos(x))/sin(x)", Some(true), true),
            ("tan(x/2) = sin(x)/(1+cos(x))", Some(true), true),
            ("sqrt((1+cos(x))/2) = cos(x/2)", Some(false), true),
            ("sqrt((1+cos(x))/2) = abs(cos(x/2))", Some(true), true),
            ("sinh(x) = sqrt(cosh(x)^2-1)", Some(false), true),
            ("cosh(x) = sqrt(sinh(x)^2+1)", Some(true), false),
            ("tanh(x)= sign(x)*sqrt(1-1/cosh(x)^2)", Some(true), false),
            ("x^3/abs(x) = x*abs(x)", Some(true), true),
            ("abs(sin(x)) + abs(sin(-x)) = 2*sin(x)", Some(false), true),
            ("sign(x^2+y^2-1e6) = -1", Some(false), true),
            ("sign(x^2+y^2+1) = 1", Some(true), true),
            ("abs(x)/x = 1", Some(false), true),
        ],
    ),
    (
        r#"noslip = 1
[system]
name = "skew"
coordinates = ["x", "y", "z"]
[energy]
kinetic = "(x'^2+y'^2+z'^2)/2"
potential = "0"
[constraints]
c = "z' = y*x'"
[initial]
position = { x = 1, y = 1, z = 0.5 }
velocity = { x = -1, y = 0.5 }
"#,
        &[
            ("sin(z'-y*x') = 0", Some(true), true),
            ("z = z", Some(true), true),
            ("abs(z') = abs(y)*abs(x')", Some(true), true),
            ("abs(z') = y*abs(x')", Some(false), true),
            ("sqrt(z'^2) = y*x'", Some(false), true),
            ("atan2(z',x') = atan(y)", Some(false), true),
            ("z'/x' = y", Some(true), true),
            ("log(z') = log(y)+log(x')", None, true),
            ("z'' = y*x'' + y'*x'", Some(true), true),
            ("z'' = y*x'' + y'*x' + 1e-30*x", Some(false), true),
            ("lambda_c = y'*x'/(1+y^2)", Some(true), true),
            ("lambda_c = -y'*x'/(1+y^2)", Some(false), true),
            ("sign(z')=sign(y)*sign(x')", Some(true), true),
            ("y'' = 0", Some(true), true),
            ("exp(1000*(z'-y*x')) = 1", Some(true), true),
            ("exp(1e6*z')=exp(1e6*y*x')", Some(true), true),
            ("sin(10^20*z') = sin(10^20*y*x')", Some(true), true),
        ],
    ),
    (
        r#"noslip = 1
[system]
name = "integ"
coordinates = ["x", "y"]
[energy]
kinetic = "(x'^2+y'^2)/2"
potential = "0"
[constraints]
c = "x' = 2*y'"
[initial]
position = { x = 2, y = 1 }
velocity = { y = 1 }
"#,
        &[
            ("x = 2*y", Some(true), true),
            ("x = 2*y + 1e-14", Some(false), true),
            ("x = 2*y + 1e-30", Some(false), true),
            ("sin(x) = sin(2*y)", Some(true), true),
            ("sin(x) = sin(2*y + 1e-14)", Some(false), true),
            ("sign(x) = 1", Some(false), true),
            ("sign(x) = sign(y)", Some(true), true),
            ("atan(tan(x)) = x", Some(false), true),
            ("atan(tan(x/4)) = x/4", Some(false), true),
            ("abs(x)=2*y", Some(false), true),
        ],
    ),
    (
        r#"noslip = 1
[system]
name = "circle"
coordinates = ["x", "y"]
[energy]
kinetic = "(x'^2+y'^2)/2"
potential = "y"
[constraints]
c = "x^2 + y^2 = 1"
[initial]
position = { x = 1, y = 0 }
velocity = { x=0, y = 1 }
"#,
        &[
            ("x^2+y^2=1", Some(true), true),
            ("x*x'+y*y'=0", Some(true), true),
            ("x = sqrt(1-y^2)", Some(false), true),
            ("abs(x) = sqrt(1-y^2)", Some(true), true),
            ("x'^2+y'^2 = (x*y'-y*x')^2", Some(true), true),
            ("atan2(y,x) = asin(y)", Some(false), true),
            ("sqrt(x'^2+y'^2) = x*y'-y*x'", Some(false), true),
            ("sqrt(x'^2+y'^2) = abs(x*y'-y*x')", Some(true), true),
            ("lambda_c = (y - (x'^2+y'^2))/2", Some(true), true),
            ("lambda_c = (y - (x'^2+y'^2))/2 + 1e-20", Some(false), true),
            ("x^4 + 2*x^2*y^2 + y^4 = 1", Some(true), true),
        ],
    ),
    (
        r#"noslip = 1
[system]
name = "rheo"
coordinates = ["x", "y"]
[energy]
kinetic = "(x'^2+y'^2)/2"
potential = "0"
[constraints]
c = "y' = t*x'"
[initial]
position = { x = 1, y = 0 }
velocity = { x=1, y = 0 }
"#,
        &[
            ("y' = t*x'", Some(true), true),
            ("y'' = t*x'' + x'", Some(true), true),
            ("sqrt(t^2)=t", None, false),
            ("abs(t)=t", None, false),
            ("(1+t^2)*x'' + t*x' = 0", Some(true), true),
        ],
    ),
    (
        r#"noslip = 1
[system]
name = "appell"
coordinates = ["x", "y", "z"]
[energy]
kinetic = "(x'^2+y'^2+z'^2)/2"
potential = "z"
[constraints]
c = "x'^2 + y'^2 = z'^2"
[initial]
position = { x = 0, y = 0, z=0 }
velocity = { x=3, y = 4, z=5 }
"#,
        &[
            ("z' = sqrt(x'^2+y'^2)", Some(false), true),
            ("abs(z') = sqrt(x'^2+y'^2)", Some(true), true),
            ("z'' = -1/2", Some(true), true),
            ("x'' = -x'/(2*z')", Some(true), true),
            ("x'' = -x'/(2*sqrt(x'^2+y'^2))", Some(false), true),
            ("x'*y''=y'*x''", Some(true), true),
        ],
    ),
    (
        r#"noslip = 1
[system]
name = "prod"
coordinates = ["x", "y"]
[energy]
kinetic = "(x'^2+y'^2)/2"
potential = "0"
[constraints]
c = "(x' - y')*(x' + y') = 0"
[initial]
position = { x = 0, y = 0 }
velocity = { x=1, y = 1 }
"#,
        &[
            ("x' = y'", Some(false), true),
            ("x' = -y'", Some(false), true),
            // A product is a choice of constraints: what holds with one factor need not with the other.
            ("abs(x') = abs(y')", Some(true), true),
            ("x''^2 = y''^2", Some(true), true),
            ("x''=0", Some(true), false),
            ("lambda_c = 0", Some(true), false),
        ],
    ),
    (
        r#"noslip = 1
[system]
name = "sq"
coordinates = ["x", "y"]
[energy]
kinetic = "(x'^2+y'^2)/2"
potential = "0"
[constraints]
c = "(x' - y')^2 = 0"
[initial]
position = { x = 0, y = 0 }
velocity = { x=1, y = 1 }
"#,
        // A power of a constraint gives no reaction, but says what its root does.
        &[
            ("x' = y'", Some(true), true),
            ("x' + y' = 0", Some(false), true),
            ("x'' = y''", Some(true), true),
            ("x - y = 0", Some(true), true),
            ("x'' = 0", None, false),
        ],
    ),
    (
        r#"noslip = 1
[system]
name = "red"
coordinates = ["x", "y", "z"]
[energy]
kinetic = "(x'^2+y'^2+z'^2)/2"
potential = "z"
[constraints]
c = "z' = y*x'"
d = "2*z' = 2*y*x'"
[initial]
position = { x = 1, y = 1, z = 0.5 }
velocity = { x = -1, y = 0.5 }
"#,
        &[
            ("z' = y*x'", Some(true), true),
            ("x'' = 0", Some(false), true),
            ("lambda_c = 0", None, false),
            ("lambda_c + 2*lambda_d = (y'*x' + 1)/(1+y^2)", Some(true), false),
        ],
    ),
    (
        r#"noslip = 1
[system]
name = "small"
coordinates = ["x", "y"]
[parameters]
m = 1e-12
k = 1e12
eps = 1e-9
[energy]
kinetic = "m*(x'^2+y'^2)/2"
potential = "k*x^2/2"
[constraints]
c = "y' = eps*x'"
[initial]
position = { x = 1, y = 1 }
velocity = { x = -1 }
"#,
        &[
            ("m*x'' + k*x = eps*m*y''", None, true),
            ("y' = eps*x'", Some(true), true),
            ("y' = 0", Some(false), true),
            ("m*(1+eps^2)*x'' = -k*x", Some(true), true),
            ("m*x'' = -k*x", Some(false), true),
            ("y'' = eps*x''", Some(true), true),
        ],
    ),
    (
        r#"noslip = 1
[system]
name = "deg"
coordinates = ["x", "y"]
[energy]
kinetic = "(x'^2+y'^2)/2"
potential = "0"
[constraints]
c = "x*x' + y*y' = 0"
[initial]
position = { x = 1, y = 0 }
velocity = { y = 1 }
"#,
        &[
            ("x^2 + y^2 = 1", Some(true), true),
            ("x = sqrt(1-y^2)", Some(false), true),
            ("x^2 + y^2 = 1 + 1e-14", Some(false), true),
            ("sqrt(x^2+y^2)=1", Some(true), true),
            ("atan2(y,x)=asin(y)", Some(false), true),
            ("y'' = -(x'^2+y'^2)*y", Some(true), false),
        ],
    ),
    (
        r#"noslip = 1
[system]
name = "pos"
coordinates = ["x", "y"]
[energy]
kinetic = "(x'^2+y'^2)/2"
potential = "0"
[constraints]
c = "x = 5"
[initial]
position = { x = 5, y = 1 }
velocity = { y = 1 }
"#,
        &[
            ("abs(x) = x", Some(true), true),
            ("sqrt(x^2) = x", Some(true), true),
            ("sign(x)=1", Some(true), true),
            ("x''=0", Some(true), true),
            ("asin(sin(x)) = x - 2*pi", Some(true), true),
            ("asin(sin(x)) = x", Some(false), true),
        ],
    ),
    (
        r#"noslip = 1
[system]
name = "sqrtc"
coordinates = ["x", "y"]
[energy]
kinetic = "(x'^2+y'^2)/2"
potential = "0"
[constraints]
c = "y' = sqrt(x)*x'"
[initial]
position = { x = 1, y = 0 }
velocity = { x = 1 }
"#,
        &[("y = 2/3*x^(3/2) - 2/3", Some(true), true), ("y'^2 = x*x'^2", Some(true), true), ("abs(x) = x", None, true)],
    ),
    (
        r#"noslip = 1
[system]
name = "two"
coordinates = ["x", "y"]
[energy]
kinetic = "(x'^2+y'^2)/2"
potential = "0"
[constraints]
c = "x' = y'"
d = "x' = y' + 1e-13*(x' + 3*y')"
[initial]
position = { x = 1, y = 0 }
velocity = { x = 0 }
"#,
        &[("x' = 0", None, true), ("x' = y'", None, true)],
    ),
    (
        r#"noslip = 1
[system]
name = "servo"
coordinates = ["x", "y"]
[energy]
kinetic = "(x'^2+y'^2)/2"
potential = "0"
[constraints]
c = "x' = cos(3*t)"
[initial]
position = { x = 0, y = 0 }
velocity = { y = 1 }
"#,
        &[
            ("x = sin(3*t)/3", Some(true), true),
            ("x'' = -3*sin(3*t)", Some(true), true),
            ("x = sin(3*t)/3 + 1e-15", Some(false), true),
            ("lambda_c = -3*sin(3*t)", Some(true), true),
        ],
    ),
    (
        r#"noslip = 1
[system]
name = "par"
coordinates = ["x", "y"]
[parameters]
a = 2
b = 4
[energy]
kinetic = "a*(x'^2+y'^2)/2"
potential = "b*x"
[constraints]
c = "y' = a*x'"
[initial]
position = { x = 0, y = 0 }
velocity = { x = 1 }
"#,
        &[
            ("y' = 2*x'", Some(true), true),
            ("b = a^2", Some(true), true),
            ("x'' = -4/10", Some(true), true),
            ("a*(1+a^2)*x'' = -b", Some(true), true),
            ("sqrt(b) = a", Some(true), true),
        ],
    ),
    (
        r#"noslip = 1
[system]
name = "pow"
coordinates = ["x", "y"]
[parameters]
n = 0.5
[energy]
kinetic = "(x'^2+y'^2)/2"
potential = "0"
[constraints]
c = "y' = x^n*x'"
[initial]
position = { x = 1, y = 0 }
velocity = { x = 1 }
"#,
        &[
            ("y' = sqrt(x)*x'", Some(true), false),
            ("y'^2 = x*x'^2", Some(true), true),
            ("y = 2*x^(3/2)/3 - 2/3", Some(true), true),
        ],
    ),
    (
        r#"noslip = 1
[system]
name = "steep"
coordinates = ["x", "y", "z"]
[energy]
kinetic = "(x'^2 + 2*y'^2 + z'^2)/2"
potential = "x*y"
[constraints]
c = "z' = (x + 2*y + 1)*x'"
"#,
        &[
            ("cosh(exp(3*pi)*z') + 3*x^2/10^25 = cosh(exp(3*pi)*(x + 2*y + 1)*x')", Some(false), false),
            ("cosh(exp(3*pi)*z') + 3*x^2/10^25 = cosh(exp(3*pi)*(x + 2*y + 1)*x') + 3*x^2/10^25", Some(true), true),
        ],
    ),
    (
        r#"noslip = 1
[system]
name = "weak"
coordinates = ["x", "y"]
[energy]
kinetic = "(x'^2 + y'^2)/2"
[forces]
x = "1/50"
"#,
        &[
            // 10⁻⁴⁶, and not zero.
            ("x''^27 = 0", Some(false), true),
            ("y''^27 = 0", Some(true), true),
        ],
    ),
];

#[test]
fn tempting_claims_are_judged_right() {
    for (model, claims) in MODELS {
        for &(claim, truth, decided) in *claims {
            if let Err(what) = claim_is_judged_right_as(model, claim, truth, decided) {
                panic!("{what}");
            }
        }
    }
}
