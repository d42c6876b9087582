//! Lists that pages and scripts repeat from the sources: they have everything, and say the same.

use super::docs::{read, root};
use super::rooms::sources;
use kroon::arena::openings::SOURCES;
use kroon::engine::Options;
use kroon::engine::registry::{OptionAudience, OptionKind, OptionRow};
use kroon::levels;
use kroon::protocol::hub::params::{self, HubSettings};
use kroon::rules::VariantId;
use std::collections::BTreeSet;
use std::path::Path;

/// Name, values and default of an option, as the page has them; none if nobody has to be told of it.
fn cells<S>(row: &OptionRow<S>, settings: &S) -> Option<[String; 3]> {
    let values = match row.kind {
        OptionKind::Bool { .. } => "bool".to_owned(),
        OptionKind::Int { min, max, .. } => format!("int, {min} to {max}"),
        OptionKind::Real { min, max, .. } => format!("real, {min} to {max}"),
        OptionKind::IntOrDefault { min, max, .. } => format!("string, {min} to {max} or `default`"),
        OptionKind::RealOrDefault { min, max, .. } => format!("string, {min} to {max} or `default`"),
        OptionKind::Word { words, .. } => format!("enum: `{}`", words().join("`, `")),
        OptionKind::File { .. } => "string".to_owned(),
    };
    let told = row.audience != OptionAudience::Hidden;
    told.then(|| [format!("`{}`", row.name), values, format!("`{}`", row.value(settings))])
}

#[test]
fn hub_page_has_every_parameter_with_its_values() {
    let page = read(Path::new("protocol-docs/hub.md"));
    let table = page.split("| name | values | default | what it is |\n|---|---|---|---|\n").nth(1).unwrap();
    let listed: Vec<Vec<&str>> = table
        .lines()
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').splitn(4, '|').map(str::trim).collect())
        .collect();
    let settings = HubSettings::default();
    let own = params::ROWS.iter().filter_map(|row| cells(row, &settings));
    let engine = Options::ROWS.iter().filter_map(|row| cells(row, &settings.options));
    let declared: Vec<[String; 3]> = own.chain(engine).collect();
    for parameter in &declared {
        let row = listed.iter().find(|row| row[0] == parameter[0]);
        let row = row.unwrap_or_else(|| panic!("{parameter:?} is not in the table"));
        assert!(row[..3] == *parameter && !row[3].is_empty(), "{row:?} instead of {parameter:?}");
    }
    assert_eq!(listed.len(), declared.len(), "a parameter that there is not");
    let variant = params::declarations(&settings).swap_remove(0).to_string();
    assert!(page.contains(&format!("\n    {variant}\n")), "the answer {variant}");
    let skill = format!("({} to {}, with fractions)", levels::RANGE.start(), levels::RANGE.end());
    assert!(page.contains(&skill), "skill is {skill}");
}

/// The requests that a file of the server answers: `GET /api/puzzles/VARIANT`.
fn requests(source: &str) -> BTreeSet<String> {
    let request = |route: &str| {
        let (path, handler) = route.split_once("\", ")?;
        let method = handler.split('(').next()?.to_uppercase();
        let words = path.split('/').map(|word| match word.strip_prefix('{') {
            Some(name) => name.trim_end_matches('}').to_uppercase(),
            None => word.to_owned(),
        });
        Some(format!("{method} {}", words.collect::<Vec<_>>().join("/")))
    };
    source.split(".route(\"").skip(1).filter_map(request).collect()
}

#[test]
fn board_page_has_every_request() {
    let served: BTreeSet<String> = sources(&root().join("src/web"))
        .iter()
        .flat_map(|(_, text)| requests(text))
        .filter(|request| request.contains(" /api/"))
        .collect();
    assert!(served.len() > 10, "{served:?}");
    let page = read(Path::new("protocol-docs/board.md"));
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let listed: BTreeSet<String> = rows
        .filter(|row| row.starts_with("GET /") || row.starts_with("POST /"))
        .filter_map(|row| row.split('`').next().map(str::to_owned))
        .collect();
    assert_eq!(listed, served);
}

#[test]
fn manual_has_every_source_of_openings() {
    let manual = read(Path::new("protocol-docs/commands.md"));
    let part = manual.split("\n- **Openings**:").nth(1).unwrap().split("\n- **").next().unwrap();
    for source in SOURCES.split(", ").flat_map(|names| names.split(" or ")) {
        assert!(part.contains(source), "{source}");
    }
}

/// The scripts that do something for each variant. A new one would be left out in silence.
#[test]
fn scripts_have_every_variant() {
    for path in [
        "src/book/make-books.sh",
        "src/tablebase/make-packs.sh",
        "src/arena/openings/make-edge.sh",
        "benches/profiled-build.sh",
    ] {
        let script = read(Path::new(path)).replace("\\\n", " ");
        let list = script.split(&format!(" {} ", VariantId::ALL[0])).nth(1);
        let list = list.unwrap_or_else(|| panic!("{path} has no list")).split(['\n', ';']).next().unwrap();
        let listed: Vec<&str> = list.split_whitespace().collect();
        assert_eq!(listed, VariantId::ALL[1..].iter().map(|v| v.name()).collect::<Vec<_>>(), "{path}");
    }
}
