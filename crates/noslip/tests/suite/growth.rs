//! The growth vector by formulas and at a point of the prime field, and what is said when work runs out.

use crate::common::gallery;
use noslip::analysis::{analyse, growth_at_point};
use noslip::mechanics::{Generic, Pfaff};

#[test]
fn counted_at_a_point_it_is_that_of_the_formulas() {
    let mut compared = 0;
    for name in gallery::names() {
        let mut w = gallery::open(name).workbench();
        let analysis = analyse(&mut w);
        let Some(growth) = analysis.growth.filter(|g| g.complete) else { continue };
        let pfaff = Pfaff::of(&mut w);
        let mut generic = Generic::new(&mut w.g, &w.system);
        let counted = growth_at_point(&mut w, &pfaff, growth.extended_by_time, &mut generic);
        let Some(counted) = counted else { continue };
        assert!(counted.complete, "{name}: {:?}", counted.vector);
        assert_eq!(counted.vector, growth.vector, "{name}");
        compared += 1;
    }
    assert!(compared > 35, "{compared} models compared");
}

/// Known from the literature: each bracket of the two motions of a car with trailers gains one direction.
#[test]
fn a_car_with_trailers_grows_by_one_direction_at_a_time() {
    let mut w = gallery::open("car-with-three-trailers").workbench();
    let pfaff = Pfaff::of(&mut w);
    let mut generic = Generic::new(&mut w.g, &w.system);
    let growth = growth_at_point(&mut w, &pfaff, false, &mut generic).expect("a growth vector");
    assert_eq!(growth.vector, [2, 3, 4, 5, 6]);
}

#[test]
fn without_work_nothing_is_decided_wrongly_and_what_is_open_is_said() {
    for name in gallery::names() {
        let mut model = gallery::open(name);
        let full = analyse(&mut model.workbench());
        model.arena.work.limit(0);
        let starved = analyse(&mut model.workbench());
        // What the field decides is the same.
        assert_eq!(starved.ranks.constraints, full.ranks.constraints, "{name}");
        assert_eq!(starved.energy.conserved, full.energy.conserved, "{name}");
        for (a, b) in starved.constraints.iter().zip(&full.constraints) {
            let answer = |c: &noslip::analysis::ConstraintFacts| c.integrable.as_ref().map(|i| i.integrable);
            assert_eq!(answer(a), answer(b), "{name}: {}", a.name);
        }
        if let (Some(a), Some(b)) = (&starved.growth, &full.growth)
            && a.complete
        {
            assert_eq!(a.vector, b.vector, "{name}");
        }
        // What is not is open, and not denied.
        if full.chaplygin.is() && !starved.chaplygin.is() {
            assert!(starved.undecided.iter().any(|q| q.contains("Chaplygin")), "{name}: {:?}", starved.undecided);
        }
        if full.conserved.len() > starved.conserved.len() {
            assert!(starved.undecided.iter().any(|q| q.contains("conserved")), "{name}: {:?}", starved.undecided);
        }
    }
}
