//! SUMO's FCD output: the positions of vehicles.

use std::{collections::HashMap, io::BufRead, time::Duration};

use everypath_model::{Path, Position};

use crate::{
    FormatError, Limits, Problem, number,
    waypoints::Waypoints,
    xml::{Element, Piece, Xml},
};

/// A vehicle. Its place in the list is its number.
///
/// ```
/// use everypath_formats::{Limits, sumo::read_vehicles};
/// use everypath_model::Mobility;
///
/// let file = r#"<fcd-export>
///     <timestep time="0.00"><vehicle id="bus" x="5.0" y="1.0"/></timestep>
///     <timestep time="1.00"><vehicle id="bus" x="9.0" y="4.0"/></timestep>
/// </fcd-export>"#;
/// let vehicles = read_vehicles(file.as_bytes(), &Limits::default()).unwrap();
/// // How the nodes of a field move.
/// let mobility = Mobility::Paths(vehicles.into_iter().map(|vehicle| vehicle.path).collect());
/// assert!(matches!(mobility, Mobility::Paths(paths) if paths[0].legs.len() == 1));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Vehicle {
    /// Its name in SUMO.
    pub id: String,
    /// Its path. Before it enters the road it waits at its first position, afterwards at its last;
    /// between two presences it moves in a straight line.
    pub path: Path,
    /// Its times on the road, in order.
    pub presences: Vec<Presence>,
}

/// A time during which a vehicle is on the road.
///
/// ```
/// use std::time::Duration;
/// use everypath_formats::{Limits, sumo::{Presence, read_vehicles}};
///
/// let file = r#"<fcd-export>
///     <timestep time="3.00"><vehicle id="bus" x="5.0" y="1.0"/></timestep>
///     <timestep time="4.00"/>
/// </fcd-export>"#;
/// let vehicles = read_vehicles(file.as_bytes(), &Limits::default()).unwrap();
/// let (from, until) = (Duration::from_secs(3), Some(Duration::from_secs(4)));
/// assert_eq!(vehicles[0].presences, [Presence { from, until }]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Presence {
    /// The first time step with the vehicle.
    pub from: Duration,
    /// The first time step without it, if there is one.
    pub until: Option<Duration>,
}

/// Reads SUMO's FCD output (`sumo --fcd-output`). Vehicles are numbered in the order of first
/// occurrence. Between two time steps a vehicle moves in a straight line. Coordinates must be in
/// metres, not from `--fcd-output.geo`; `z` is optional. Persons and containers are skipped.
///
/// A vehicle exists only from departure to arrival, but a node always exists: so each [`Vehicle`]
/// also has its times on the road.
///
/// ```
/// use everypath_formats::{Limits, sumo};
///
/// let file = r#"<fcd-export>
///     <timestep time="0.00"><vehicle id="bus" x="5.0" y="1.0" speed="0"/></timestep>
///     <timestep time="1.00"><vehicle id="bus" x="9.0" y="4.0" speed="5"/></timestep>
///     <timestep time="2.00"/>
/// </fcd-export>"#;
/// let vehicles = sumo::read_vehicles(file.as_bytes(), &Limits::default()).unwrap();
/// assert_eq!(vehicles[0].id, "bus");
/// assert_eq!(vehicles[0].path.legs[0].speed, 5.0);
/// assert_eq!(vehicles[0].presences[0].until.unwrap().as_secs(), 2);
/// ```
///
/// # Errors
/// If the file is not such XML or is cut off, time steps go back in time, a vehicle lacks its
/// coordinates or occurs twice, or a limit is exceeded.
pub fn read_vehicles(input: impl BufRead, limits: &Limits) -> Result<Vec<Vehicle>, FormatError> {
    let mut xml = Xml::new(input, limits);
    let mut traffic = Traffic { limits: *limits, ..Traffic::default() };
    let mut is_in_step = false;
    while let Some(piece) = xml.next()? {
        let Piece::Begin(element) = piece else {
            continue;
        };
        match (element.depth, element.name()) {
            (1, "fcd-export") => {}
            (1, name) => {
                let expected = "the outermost element of FCD output is <fcd-export>";
                return Err(element.error(Problem::unreadable(&format!("<{name}>"), expected)));
            }
            (2, name) => {
                is_in_step = name == "timestep";
                if is_in_step {
                    traffic.step(&element)?;
                }
            }
            (3, "vehicle") if is_in_step => traffic.vehicle(&element)?,
            _ => {}
        }
    }
    if traffic.vehicles.is_empty() {
        return Err(FormatError::whole(Problem::Empty("vehicle")));
    }
    Ok(traffic.finish())
}

/// The content read so far.
#[derive(Default)]
struct Traffic {
    limits: Limits,
    times: Vec<Duration>,
    numbers: HashMap<String, usize>,
    vehicles: Vec<Sighted>,
    legs: usize,
}

/// A vehicle, and its time steps.
struct Sighted {
    id: String,
    waypoints: Waypoints,
    presences: Vec<Presence>,
    /// The number of the last time step with it.
    last: usize,
}

impl Traffic {
    fn step(&mut self, element: &Element<'_>) -> Result<(), FormatError> {
        let time = number::time(&element.needed("time")?).map_err(|what| element.error(what))?;
        match self.times.last() {
            Some(&before) if time <= before => {
                let who = "a time step".to_owned();
                let (before, time) = (before.as_secs_f64(), time.as_secs_f64());
                Err(element.error(Problem::Backwards { who, before, time }))
            }
            _ => {
                self.limits.check_entries(element.line, "time steps", self.times.len() + 1)?;
                self.times.push(time);
                Ok(())
            }
        }
    }

    fn vehicle(&mut self, element: &Element<'_>) -> Result<(), FormatError> {
        let coordinate = |text: &str| number::coordinate(text).map_err(|what| element.error(what));
        let id = element.needed("id")?;
        let place = Position {
            x: coordinate(&element.needed("x")?)?,
            y: coordinate(&element.needed("y")?)?,
            z: element.attribute("z")?.map_or(Ok(0.0), |z| coordinate(&z))?,
        };
        let now = self.times.len() - 1;
        let time = self.times[now];
        let Some(&number) = self.numbers.get(&*id) else {
            self.limits.check_nodes(element.line, self.vehicles.len() + 1)?;
            self.numbers.insert(id.clone().into_owned(), self.vehicles.len());
            self.vehicles.push(Sighted {
                id: id.into_owned(),
                waypoints: Waypoints::new(time, place),
                presences: vec![Presence { from: time, until: None }],
                last: now,
            });
            return Ok(());
        };
        let vehicle = &mut self.vehicles[number];
        let legs = vehicle.waypoints.legs();
        match now - vehicle.last {
            0 => return Err(element.error(Problem::Twice(format!("vehicle `{id}`")))),
            1 => {}
            _ => {
                vehicle.leave(&self.times);
                vehicle.presences.push(Presence { from: time, until: None });
            }
        }
        vehicle.waypoints.reach(time, place);
        vehicle.last = now;
        self.legs += vehicle.waypoints.legs() - legs;
        self.limits.check_entries(element.line, "legs", self.legs)
    }

    fn finish(self) -> Vec<Vehicle> {
        let vehicles = self.vehicles.into_iter().map(|mut vehicle| {
            vehicle.leave(&self.times);
            let Sighted { id, waypoints, presences, .. } = vehicle;
            Vehicle { id, path: waypoints.into_path(), presences }
        });
        vehicles.collect()
    }
}

impl Sighted {
    /// Ends its presence at the step after its last, if there is one.
    fn leave(&mut self, times: &[Duration]) {
        if let Some(presence) = self.presences.last_mut() {
            presence.until = times.get(self.last + 1).copied();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Vehicle>, String> {
        read_vehicles(text.as_bytes(), &Limits::default()).map_err(|error| error.to_string())
    }

    fn step(time: &str, vehicles: &str) -> String {
        format!("<timestep time=\"{time}\">\n{vehicles}</timestep>\n")
    }

    fn car(id: &str, x: &str) -> String {
        format!("<vehicle id=\"{id}\" x=\"{x}\" y=\"0\" angle=\"90\"/>\n")
    }

    fn export(steps: &[String]) -> String {
        format!(
            "<?xml version=\"1.0\"?>\n<!-- made -->\n<fcd-export>\n{}</fcd-export>\n",
            steps.concat()
        )
    }

    #[test]
    fn vehicles_come_go_and_come_again() {
        let text = export(&[
            step("10", &car("a", "0")),
            step("11", &(car("b&amp;c", "50") + &car("a", "4"))),
            step("12", &(car("a", "4") + "<person id=\"a\" x=\"1\" y=\"1\"/>")),
            step("13", ""),
            step("14", &car("a", "100")),
        ]);
        let vehicles = read(&text).unwrap();
        let presence = |from, until: Option<u64>| Presence {
            from: Duration::from_secs(from),
            until: until.map(Duration::from_secs),
        };
        assert_eq!(vehicles[0].presences, [presence(10, Some(13)), presence(14, None)]);
        assert_eq!(vehicles[1].id, "b&c");
        assert_eq!(vehicles[1].presences, [presence(11, Some(12))]);
        let legs = &vehicles[0].path.legs;
        assert_eq!(legs.len(), 2);
        assert_eq!((legs[0].begin, legs[0].speed), (Duration::from_secs(10), 4.0));
        assert_eq!((legs[1].begin, legs[1].speed), (Duration::from_secs(12), 48.0));
    }

    #[test]
    fn what_is_wrong_is_reported_with_its_line() {
        let error = |text: &str| read(text).unwrap_err();
        let one = export(&[step("1", &car("a", "0"))]);
        assert!(read(&one).is_ok());
        assert_eq!(
            error("<fcd-export/>"),
            "there is no vehicle in it; is it the right file, and complete?"
        );
        assert_eq!(error(""), error("<fcd-export/>"));
        assert!(error("<routes/>").starts_with("line 1: cannot read `<routes>`; the outermost"));
        let told = error(&one[..one.len() - 14]);
        assert!(told.contains("not well-formed XML: it ends within an element"), "{told}");
        let told = error(&one.replace("</timestep>", "</timestop>"));
        assert!(told.starts_with("line 6: this is not well-formed XML"), "{told}");
        let told = error(&one.replace(" y=\"0\"", ""));
        assert!(told.starts_with("line 5: the attribute `y` of <vehicle> is missing"), "{told}");
        let told = error(&one.replace("x=\"0\"", "x=\"NaN\""));
        assert!(told.starts_with("line 5: cannot read `NaN`"), "{told}");
        let told = error(&export(&[step("2", &car("a", "0")), step("1", "")]));
        assert!(
            told.starts_with("line 7: a time step goes back in time, from 2 s to 1 s"),
            "{told}"
        );
        let told = error(&export(&[step("2", &(car("a", "0") + &car("a", "0")))]));
        assert!(told.starts_with("line 6: vehicle `a` is given twice"), "{told}");
        let told = error(&one.replace("id=\"a\"", "id=\"&unknown;\""));
        assert!(told.starts_with("line 5: this is not well-formed XML"), "{told}");
    }

    #[test]
    fn limits_are_reported() {
        let limits = Limits { nodes: 1, entries: 2, line_bytes: 100 };
        let error = |text: &str| read_vehicles(text.as_bytes(), &limits).unwrap_err().to_string();
        let told = error(&export(&[step("1", &(car("a", "0") + &car("b", "0")))]));
        assert!(told.starts_with("line 6: there are more than 1 nodes"), "{told}");
        let told = error(&export(&[step("1", ""), step("2", ""), step("3", "")]));
        assert!(told.starts_with("line 8: there are more than 2 time steps"), "{told}");
        let told = error(&format!("<fcd-export>\n<!-- {} -->", "x".repeat(100)));
        assert!(
            told.starts_with("line 2: a line or an element is longer than 100 bytes"),
            "{told}"
        );
        let endless = std::io::BufReader::new(std::io::repeat(b'x'));
        assert!(read_vehicles(endless, &limits).is_err());
    }
}
