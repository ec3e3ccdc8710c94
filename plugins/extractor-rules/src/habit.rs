//! What the commands show: how this project is checked, and which call failed until another one
//! worked. Tool output alone proves friction and procedures, never a preference or a convention.

use crate::activity::{Activity, Command, Detour, Remedy};
use crate::alone::stands_alone;
use crate::blocks::fenced;
use crate::draft::{Category, Draft, Material, Source, is_unsafe, quote};
use crate::names::names;
use crate::phrases::{Folded, Phrases, opens_in_any_case, phrases};
use crate::polish::{Speaker, core, finish, polish};
use crate::sentences::{Place, Sentence, sentences};
use crate::turn::Turn;
use crate::verbs::is_statement;

/// A recipe the agent handed over in a turn: a leading sentence and the commands under it, which
/// it had run.
pub(crate) fn recipes(turn: &Turn, activity: &Activity) -> Vec<Draft> {
    let Some(reply) = turn.last_reply() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (place, (lead, code)) in led_code(&reply.text).into_iter().enumerate() {
        let folded = Folded::of(lead);
        let commands: Vec<&str> = code
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .collect();
        let tried = commands
            .iter()
            .any(|command| activity.ran().any(|line| same_start(line, command)));
        if !tried
            || !(1..=4).contains(&commands.len())
            || !folded.any(phrases!("with|run|use|can|to"))
            || commands.iter().any(|line| {
                line.len() > 90
                    || line.contains('`')
                    || line.matches('"').count() % 2 == 1
                    || line.starts_with("git ")
            })
        {
            continue;
        }
        let steps: Vec<String> = commands
            .iter()
            .map(|command| format!("`{command}`"))
            .collect();
        let Some(lead) = purpose(lead) else { continue };
        found.extend(Draft::new(Material {
            order: turn.prompts.first().map_or(0, |prompt| prompt.order),
            place: 2000 + place,
            category: Category::Learning("procedure"),
            source: Source::Command,
            title: if lead.chars().count() + steps[0].chars().count() <= 75 {
                format!("{lead} with {}", steps[0])
            } else {
                lead.clone()
            },
            sentences: match steps.as_slice() {
                [one] => vec![format!(
                    "The command is {one}, and it worked in the session."
                )],
                several => vec![format!("The commands are {}.", several.join(", then "))],
            },
            backing: String::new(),
            score: 0.6,
            evidence: commands
                .iter()
                .take(2)
                .map(|command| quote(&reply.event_id, command))
                .collect(),
        }));
    }
    found
}

/// What a recipe is for: `You can now profile the start with:` says `Profile the start`.
fn purpose(lead: &str) -> Option<String> {
    let bare = core(lead.trim_end_matches(':'), Speaker::Agent);
    let opening = ["you can now ", "you can ", "now you can ", "to ", "now "]
        .iter()
        .find(|opening| opens_in_any_case(&bare, opening));
    let rest = opening.map_or(bare.as_str(), |opening| &bare[opening.len()..]);
    let rest = [
        " with",
        " using",
        " by running",
        " via",
        " like this",
        ", run",
        ", use",
        " run",
    ]
    .iter()
    .find_map(|ending| rest.strip_suffix(ending))
    .unwrap_or(rest);
    let purpose = finish(rest).trim_end_matches('.').to_owned();
    (purpose.split_whitespace().count() >= 2 && Folded::of(&purpose).opens(TASK_OR_USE))
        .then_some(purpose)
}

/// Verbs a recipe opens with.
const TASK_OR_USE: Phrases = phrases!(
    "add|build|check|clean|convert|create|debug|deploy|download|export|fetch|format|generate|\
     import|inspect|install|list|load|measure|migrate|open|preview|print|profile|publish|\
     rebuild|record|regenerate|release|reproduce|reset|restart|run|sample|see|serve|set|show|\
     sign|start|sync|tail|test|trace|try|update|upgrade|upload|validate|verify|view|watch",
);

/// A procedure the agent spelt out step by step when asked how something is done.
pub(crate) fn steps(turn: &Turn) -> Option<Draft> {
    let reply = turn.last_reply()?;
    let asked = turn.prompts.iter().any(|prompt| {
        let folded = Folded::of(acreta_text::head(&prompt.text, 400));
        folded.any(phrases!(
            "how|know how|readme|steps|process|explain|details"
        ))
    });
    if !asked {
        return None;
    }
    let all: Vec<Sentence<'_>> = sentences(&reply.text).collect();
    let first = all
        .iter()
        .position(|sentence| sentence.place == Place::Item)?;
    let items: Vec<&Sentence<'_>> = all[first..]
        .iter()
        .take_while(|sentence| sentence.place != Place::Heading)
        .filter(|sentence| sentence.place == Place::Item)
        .collect();
    let commands = items
        .iter()
        .filter(|item| names(item.text).iter().any(|name| name.contains(' ')))
        .count();
    let lead = all[..first]
        .iter()
        .rev()
        .find(|sentence| matches!(sentence.place, Place::Lead | Place::Heading))?;
    let about = Folded::of(lead.text).any(phrases!(
        "process|steps|procedure|release|workflow|to release|how to|setup|deploy",
    ));
    if !about
        || items.len() < 3
        || commands < 2
        || Folded::of(lead.text).any(phrases!("i'll|i|changes|next steps"))
    {
        return None;
    }
    let lead_text = finish(&core(lead.text, Speaker::Agent));
    let lead_text = lead_text
        .trim_end_matches('.')
        .trim_end_matches(" is")
        .trim_end_matches(" are");
    let listed: Vec<String> = items
        .iter()
        .take(6)
        .map(|item| {
            let step = core(item.text, Speaker::Agent);
            step.split(" - Already")
                .next()
                .unwrap_or("")
                .trim_end_matches('.')
                .to_owned()
        })
        .collect();
    let mut body = format!("The steps are: {}.", listed.join("; "));
    while body.chars().count() > 320 {
        body = format!("{}.", &body[..body.rfind("; ")?]);
    }
    let title = if is_statement(lead_text) {
        lead_text.to_owned()
    } else {
        format!("{lead_text} has {} steps", items.len())
    };
    Draft::new(Material {
        order: turn.prompts.first()?.order,
        place: 3000,
        category: Category::Learning("procedure"),
        source: Source::Command,
        title,
        sentences: vec![body],
        backing: String::new(),
        score: 0.58,
        evidence: items
            .iter()
            .take(3)
            .map(|item| quote(&reply.event_id, item.text))
            .collect(),
    })
}

/// Code blocks with the line that leads them in.
fn led_code(text: &str) -> Vec<(&str, &str)> {
    fenced(text)
        .into_iter()
        .filter_map(|code| {
            let start = code.as_ptr() as usize - text.as_ptr() as usize;
            let before = text[..start].trim_end();
            let before = before[..before.rfind("```")?].trim_end();
            let line = before.rsplit('\n').next()?.trim();
            let lead = line.rsplit(['.', '?', '!']).next()?.trim();
            (lead.ends_with(':')
                && stands_alone(lead)
                && !Folded::of(lead).any(phrases!("i|i'd|i'll|would|should")))
            .then_some((lead, code))
        })
        .collect()
}

fn same_start(ran: &str, told: &str) -> bool {
    let told: Vec<&str> = told.split_whitespace().take(2).collect();
    told.len() == 2 && ran.contains(&told.join(" "))
}

/// What stood in the way of a command and how the next one got around it.
pub(crate) fn workaround(detour: &Detour) -> Option<Draft> {
    let command = detour.command.as_ref()?;
    if !command.done || command.failed {
        return None;
    }
    let told = polish(&detour.obstacle, Speaker::Agent);
    let short: Vec<&str> = command
        .line
        .split_whitespace()
        .take(6)
        .take_while(|word| !is_unsafe(word) && !word.contains(['\'', '"', '`', '$', '{', '|', '>']))
        .collect();
    if short.len() < 2 {
        return None;
    }
    Draft::new(Material {
        order: detour.order,
        place: 0,
        category: Category::Learning("friction"),
        source: Source::Command,
        title: told.clone(),
        sentences: vec![told, format!("`{}` gets around it.", short.join(" "))],
        backing: String::new(),
        score: 0.58,
        evidence: vec![
            quote(&detour.event_id, &detour.obstacle),
            quote(&command.event_id, &detour.shown),
        ],
    })
}

/// The drafts the whole session's commands give.
pub(crate) fn drafts(activity: &Activity) -> Vec<Draft> {
    let mut found: Vec<Draft> = activity.remedies.iter().filter_map(remedy).collect();
    found.extend(activity.detours.iter().filter_map(workaround));
    found.extend(checks(activity));
    found
}

fn remedy(remedy: &Remedy) -> Option<Draft> {
    let (failed, worked) = (&remedy.failed, &remedy.worked);
    if failed.line.len() > LONGEST_SHOWN
        || worked.line.len() > LONGEST_SHOWN
        || failed.line.contains('`')
        || worked.line.contains('`')
    {
        return None;
    }
    if short(&failed.line) == short(&worked.line) {
        return None;
    }
    if is_unsafe(&failed.line) || is_unsafe(&worked.line) {
        return None;
    }
    let complaint = acreta_text::head(&failed.complaint, 90).replace(['"', '`'], "'");
    let (tried, ran) = without_shared(&failed.line, &worked.line);
    Draft::new(Material {
        order: failed.order,
        place: 0,
        category: Category::Learning("friction"),
        source: Source::Command,
        title: format!(
            "`{}` fails; `{}` works",
            short(&failed.line),
            short(&worked.line)
        ),
        sentences: vec![format!(
            "`{tried}` fails with \"{}\", while `{ran}` works.",
            complaint.trim()
        )],
        backing: String::new(),
        score: 0.57,
        evidence: vec![quote(&failed.result_id, &failed.complaint)],
    })
}

/// Two commands without the steps (`cd app && …`) they both open with.
fn without_shared<'a>(left: &'a str, right: &'a str) -> (&'a str, &'a str) {
    let (mut left, mut right) = (left, right);
    while let (Some((first, left_rest)), Some((second, right_rest))) =
        (left.split_once(" && "), right.split_once(" && "))
    {
        if first != second {
            break;
        }
        (left, right) = (left_rest, right_rest);
    }
    (left, right)
}

/// The telling head of a command.
fn short(line: &str) -> String {
    let last = line.rsplit("&& ").next().unwrap_or(line);
    last.split_whitespace()
        .take(3)
        .collect::<Vec<_>>()
        .join(" ")
}

/// The checks that nobody would guess: those that need a flag, run again and again after edits.
fn checks(activity: &Activity) -> Option<Draft> {
    let mut runs: Vec<(&String, &(u32, Command))> = activity
        .checks
        .iter()
        .filter(|(check, _)| check.contains(" -"))
        .collect();
    let total: u32 = runs.iter().map(|(_, (count, _))| count).sum();
    if activity.edits == 0 || total < 2 {
        return None;
    }
    runs.sort_by(|left, right| right.1.0.cmp(&left.1.0).then(left.0.cmp(right.0)));
    runs.truncate(3);
    let list: Vec<String> = runs.iter().map(|(check, _)| format!("`{check}`")).collect();
    let (first, rest) = list.split_first()?;
    let rest = if rest.is_empty() {
        format!("It passed {total} times in the session, after edits.")
    } else {
        format!(
            "{} also passed in the session, each after edits.",
            rest.join(" and ")
        )
    };
    Draft::new(Material {
        order: runs[0].1.1.order,
        place: 0,
        category: Category::Learning("procedure"),
        source: Source::Command,
        title: format!("Check changes with {first}"),
        sentences: vec![rest],
        backing: String::new(),
        score: 0.56,
        evidence: runs
            .iter()
            .take(2)
            .map(|(check, (_, command))| quote(&command.event_id, check))
            .collect(),
    })
}

const LONGEST_SHOWN: usize = 110;
