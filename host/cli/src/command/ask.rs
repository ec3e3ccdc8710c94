//! `acreta ask`: answers from memory with sources, or shows the passages nearest to the question. Writes nothing.

use acreta_service::Failure;
use acreta_service::find::answer::{AnswerSource, Answered, AskRequest, ask};
use acreta_service::find::cited_sessions::CitedSessions;
use acreta_service::find::show::Trust;

use crate::args::AskArguments;
use crate::context::Context;
use crate::output::{json, line, talk};

pub(crate) fn run(arguments: &AskArguments, context: &Context) -> Result<(), Failure> {
    let request = AskRequest {
        question: arguments.question.join(" "),
        limit: arguments.limit,
        explain: arguments.explain,
        sessions: CitedSessions::Project,
    };
    let answered = ask(&request, &arguments.filter.wanted(), context)?;
    match context.json {
        true => json(&answered),
        false => print(&answered),
    }
    Ok(())
}

fn print(answered: &Answered) {
    let trust = |source: &AnswerSource| match source.trust {
        Trust::Untrusted => ", untrusted",
        _ => "",
    };
    if !answered.answered {
        let nearest = answered.nearest.iter();
        let (near, far): (Vec<_>, Vec<_>) = nearest.partition(|one| !one.passage.is_empty());
        line(match near.is_empty() {
            true => "Nothing in memory answers this.",
            false => "Nothing in memory surely answers this.",
        });
        let has_near = !near.is_empty();
        for source in near {
            let (id, trust) = (answered.short_ids.of(&source.id), trust(source));
            line("");
            line(&format!("Perhaps ({} %): {}", source.sure, source.passage));
            line(&format!(
                "  {id}  {} ({}{trust})",
                source.path, source.scope
            ));
        }
        if !has_near && !far.is_empty() {
            line("The nearest memories:");
            for source in far {
                let (id, trust) = (answered.short_ids.of(&source.id), trust(source));
                line(&format!(
                    "  {id}  {} ({}{trust})",
                    source.title, source.scope
                ));
            }
        }
        cite(answered);
        return explain(answered);
    }
    line(&answered.text);
    line("");
    for source in &answered.sources {
        line(&format!(
            "[{}] {} {} ({}{})",
            source.number,
            answered.short_ids.of(&source.id),
            source.path,
            source.scope,
            trust(source)
        ));
    }
    explain(answered);
}

fn cite(answered: &Answered) {
    if answered.sessions.is_empty() {
        return;
    }
    line("");
    line("Said in earlier sessions, and never checked:");
    for said in &answered.sessions {
        line(&format!(
            "  {} ({} %): “{}”",
            said.role, said.share, said.passage
        ));
        line(&format!(
            "    {}/{} {}, {} (untrusted)",
            said.agent, said.session, said.event, said.date
        ));
    }
    talk("`acreta sessions show ID --around EVENT` shows a place");
}

fn explain(answered: &Answered) {
    if !answered.compared.is_empty() {
        line("");
    }
    for one in &answered.compared {
        let id = answered.short_ids.of(&one.id);
        line(&format!("{:>3} %  {id}  {}", one.sure, one.title));
    }
}
