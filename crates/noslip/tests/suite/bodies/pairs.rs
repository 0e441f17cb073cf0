//! The models that are written twice, from bodies and by hand, and how their multipliers belong together.

use super::load;
use crate::common::gallery;
use noslip::model::Model;

/// One system, twice.
pub(super) struct Pair {
    /// The model, and after a comma in which way it is another one.
    pub(super) name: &'static str,
    /// Written by hand, where the gallery does not have it.
    by_hand: Option<&'static str>,
    /// What stands in the model from bodies, and what instead.
    changed: Option<(&'static str, &'static str)>,
    /// The same for the model by hand.
    changed_by_hand: &'static [(&'static str, &'static str)],
    /// A constraint by hand, and its multiplier in those of the model from bodies.
    pub(super) multipliers: &'static [(&'static str, &'static str)],
}

impl Pair {
    /// By hand, and from bodies.
    pub(super) fn open(&self) -> (Model, Model) {
        let name = self.name.split(',').next().unwrap_or_default();
        let changed = |text: &str, changes: &[(&str, &str)]| {
            changes.iter().fold(text.to_owned(), |text, (there, instead)| {
                assert!(text.contains(there), "{}: {there}", self.name);
                text.replace(there, instead)
            })
        };
        let by_hand = self.by_hand.unwrap_or_else(|| gallery::text(name));
        let by_hand = changed(by_hand, self.changed_by_hand);
        let from_bodies = changed(gallery::text(&format!("bodies/{name}")), self.changed.as_slice());
        (load(&by_hand, self.name), load(&from_bodies, &format!("bodies/{}", self.name)))
    }
}

pub(super) const PAIRS: [Pair; 16] = [
    Pair {
        name: "rolling-disk",
        by_hand: None,
        changed: None,
        changed_by_hand: &[],
        multipliers: &[("u4", "lambda_ground_along"), ("u5", "lambda_ground_across")],
    },
    Pair {
        name: "rolling-disk, along and across",
        by_hand: None,
        changed: Some(("along = { in = \"ground\", axis = \"x\" }\n", "")),
        changed_by_hand: &[
            ("x' + r*psi'*cos(phi) = 0", "x'*cos(phi) + y'*sin(phi) + r*psi' = 0"),
            ("y' + r*psi'*sin(phi) = 0", "y'*cos(phi) - x'*sin(phi) = 0"),
        ],
        multipliers: &[("u4", "-lambda_ground_along"), ("u5", "-lambda_ground_across")],
    },
    Pair {
        name: "car-with-trailer",
        by_hand: None,
        changed: None,
        changed_by_hand: &[],
        multipliers: &[("car", "-lambda_car_across"), ("trailer1", "-lambda_trailer1_across")],
    },
    Pair {
        name: "roller-racer",
        by_hand: None,
        changed: None,
        changed_by_hand: &[],
        multipliers: &[("rear", "lambda_rear_across"), ("front", "lambda_front_across"), ("steer", "lambda_steer")],
    },
    Pair {
        name: "chaplygin-ball",
        by_hand: None,
        changed: None,
        changed_by_hand: &[],
        multipliers: &[("roll_x", "lambda_roll_along"), ("roll_y", "lambda_roll_across")],
    },
    Pair {
        name: "routh-sphere",
        by_hand: None,
        changed: None,
        changed_by_hand: &[],
        multipliers: &[("roll_x", "lambda_roll_along"), ("roll_y", "lambda_roll_across")],
    },
    Pair {
        name: "rolling-torus",
        by_hand: None,
        changed: None,
        changed_by_hand: &[],
        multipliers: &[("roll_along", "-lambda_roll_along"), ("roll_across", "-lambda_roll_across")],
    },
    Pair {
        name: "ball-in-cylinder",
        by_hand: None,
        changed: None,
        changed_by_hand: &[],
        multipliers: &[("roll_round", "lambda_wall_along"), ("roll_down", "lambda_wall_across")],
    },
    Pair {
        name: "snakeboard",
        by_hand: None,
        changed: None,
        changed_by_hand: &[],
        multipliers: &[
            ("front", "lambda_front_across"),
            ("rear", "lambda_rear_across"),
            ("twist", "lambda_twist"),
            ("steer", "lambda_steer"),
        ],
    },
    Pair {
        name: "ball-on-turntable",
        by_hand: None,
        changed: None,
        changed_by_hand: &[],
        multipliers: &[("roll_x", "lambda_roll_along"), ("roll_y", "lambda_roll_across")],
    },
    Pair {
        name: "wheelbarrow",
        by_hand: Some(WHEELBARROW),
        changed: None,
        changed_by_hand: &[],
        multipliers: &[("along", "lambda_wheel_along"), ("across", "lambda_wheel_across")],
    },
    Pair {
        name: "segway",
        by_hand: Some(SEGWAY),
        changed: None,
        changed_by_hand: &[],
        multipliers: &[
            ("left", "lambda_left_along"),
            ("across", "lambda_left_across"),
            ("right", "lambda_right_along"),
        ],
    },
    Pair {
        name: "rattleback",
        by_hand: None,
        changed: None,
        changed_by_hand: &[],
        multipliers: &[("roll_x", "lambda_roll_along"), ("roll_y", "lambda_roll_across")],
    },
    Pair {
        name: "ellipsoid-on-plane",
        by_hand: None,
        changed: None,
        changed_by_hand: &[],
        multipliers: &[("phi1", "lambda_roll_along"), ("phi2", "lambda_roll_across"), ("phi3", "lambda_roll_touches")],
    },
    Pair {
        name: "whipple-bicycle",
        by_hand: None,
        changed: None,
        changed_by_hand: &[],
        multipliers: &[
            ("front_contact", "-lambda_front_touches"),
            ("rear_rolls", "-lambda_rear_along"),
            ("rear_grips", "lambda_rear_across"),
            ("front_rolls", "-lambda_front_along/front_n"),
            ("front_grips", "lambda_front_across/front_n"),
        ],
    },
    Pair {
        name: "whipple-bicycle, along the ground",
        by_hand: None,
        changed: Some(("across = { in = \"fork\", axis = \"y\" }\n", "")),
        changed_by_hand: &[
            (
                "front_rolls = \"v_F1*n_3 - v_F3*n_1 + r_F*n*omega_F = 0\"",
                "front_rolls = \"(v_F1*n_3 - v_F3*n_1)/n + r_F*omega_F = 0\"",
            ),
            (
                "front_grips = \"v_F2*n + r_F*(w_3*n_1 - w_1*n_3) = 0\"",
                "front_grips = \"v_F2*n + r_F*(w_3*n_1 - w_1*n_3) - n_2*(n_1*v_F1 + n_3*v_F3)/n = 0\"",
            ),
            (
                "n_3 = \"cos(phi)*cos(theta)\"",
                "n_2 = \"sin(phi)*cos(delta) + cos(phi)*sin(theta)*sin(delta)\"\nn_3 = \"cos(phi)*cos(theta)\"",
            ),
        ],
        multipliers: &[
            ("front_contact", "-lambda_front_touches"),
            ("rear_rolls", "-lambda_rear_along"),
            ("rear_grips", "lambda_rear_across"),
            ("front_rolls", "-lambda_front_along"),
            ("front_grips", "lambda_front_across"),
        ],
    },
];

/// Chaplygin's sleigh with a wheel for the blade and a hand that pushes.
const WHEELBARROW: &str = r#"noslip = 1
[system]
name = "by hand"
coordinates = ["x", "y", "psi", "chi"]
[parameters]
m = 40
J = 4
a = 0.5
l = 1.4
R = 0.2
I = 0.05
F = 30
[energy]
kinetic = "m/2*((x' + a*sin(psi)*psi')^2 + (y' - a*cos(psi)*psi')^2) + J/2*psi'^2 + I/2*chi'^2"
[forces]
x = "F*cos(psi)"
y = "F*sin(psi)"
[constraints]
along = "x'*cos(psi) + y'*sin(psi) = R*chi'"
across = "y'*cos(psi) = x'*sin(psi)"
"#;

/// Two wheels on one axle and a pendulum that stands on it.
const SEGWAY: &str = r#"noslip = 1
[system]
name = "by hand"
coordinates = ["x", "y", "psi", "alpha", "phi_l", "phi_r"]
[parameters]
m = 60
l = 0.8
J_x = 8
J_y = 9
J_z = 2
m_w = 4
I_d = 0.06
I_a = 0.12
R = 0.24
b = 0.3
g = 9.81
M_l = 0.4
M_r = 0.5
[definitions]
x_C = "x + l*sin(alpha)*cos(psi)"
y_C = "y + l*sin(alpha)*sin(psi)"
z_C = "l*cos(alpha)"
[energy]
kinetic = """
m/2*(x_C'^2 + y_C'^2 + z_C'^2) + (J_x*sin(alpha)^2*psi'^2 + J_y*alpha'^2 + J_z*cos(alpha)^2*psi'^2)/2
+ m_w*(x'^2 + y'^2 + b^2*psi'^2) + I_d*psi'^2 + I_a/2*(phi_l'^2 + phi_r'^2)"""
potential = "m*g*z_C"
[forces]
alpha = "-M_l - M_r"
phi_l = "M_l"
phi_r = "M_r"
[constraints]
left = "x'*cos(psi) + y'*sin(psi) - b*psi' = R*phi_l'"
across = "y'*cos(psi) = x'*sin(psi)"
right = "x'*cos(psi) + y'*sin(psi) + b*psi' = R*phi_r'"
[quasi_velocities]
v = "x'*cos(psi) + y'*sin(psi)"
w = "psi'"
u = "alpha'"
"#;
