//! Watching a project: each change is reported once, and while a watcher runs, hits use its journal and are correct.

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use acreta_codebase::{Context, Event, Following, Source};

use crate::support::{Project, changes};

/// Longer than any step of these tests.
const LONG: Duration = Duration::from_secs(30);

struct Watch {
    told: Receiver<Vec<(char, String)>>,
    source: Source,
}

impl Watch {
    /// Receives deltas until all of these were reported.
    fn expect(&self, wanted: &[(char, &str)]) {
        let mut seen = Vec::new();
        while !wanted
            .iter()
            .all(|(change, path)| seen.contains(&(*change, (*path).to_owned())))
        {
            match self.told.recv_timeout(LONG) {
                Ok(told) => seen.extend(told),
                Err(_) => panic!("told {seen:?}, wanted {wanted:?}"),
            }
        }
    }
}

fn watching(project: &Project, work: impl FnOnce(&Watch)) {
    let context: Context = project.context();
    let (sender, told) = channel();
    let (start, started) = channel();
    let (stop, stopped): (Sender<()>, Receiver<()>) = channel();
    std::thread::scope(|scope| {
        let watch = scope.spawn(move || {
            context.watch(
                &project.root,
                Following::every(Duration::from_millis(20)),
                &mut |event| {
                    match event {
                        Event::Started { source, .. } => start.send(source).unwrap(),
                        Event::Changed(response) => sender.send(changes(&response)).unwrap(),
                        Event::Idle => {}
                    }
                    match stopped.try_recv() {
                        Err(std::sync::mpsc::TryRecvError::Empty) => ControlFlow::Continue(()),
                        _ => ControlFlow::Break(()),
                    }
                },
            )
        });
        let source = started.recv_timeout(LONG).unwrap();
        // Dropped also if `work` panics, so that the watch ends.
        let stop = stop;
        work(&Watch { told, source });
        drop(stop);
        watch.join().unwrap().unwrap();
    });
}

#[test]
fn changes_are_told_as_they_happen() {
    let project = Project::with(&[("src/a.py", "a = 1\n"), ("src/b.py", "b = 1\n")]);
    project.commit();
    watching(&project, |watch| {
        assert_eq!(watch.source, Source::Events);
        project.write("src/a.py", "a = 2\n");
        watch.expect(&[('M', "src/a.py")]);
        project.write("src/deep/er/c.py", "c = 1\n");
        watch.expect(&[('A', "src/deep/er/c.py")]);
        project.write("src/deep/er/d.py", "d = 1\n");
        watch.expect(&[('A', "src/deep/er/d.py")]);
        project.rename("src/deep", "src/moved");
        watch.expect(&[('A', "src/moved/er/c.py"), ('D', "src/deep/er/d.py")]);
        project.write("src/moved/er/e.py", "e = 1\n");
        watch.expect(&[('A', "src/moved/er/e.py")]);
        project.remove("src/b.py");
        watch.expect(&[('D', "src/b.py")]);
        project.write(".gitignore", "moved/\n");
        watch.expect(&[('A', ".gitignore"), ('D', "src/moved/er/e.py")]);
    });
}

#[test]
fn a_hit_that_trusts_the_watcher_is_right_each_time() {
    let project = Project::with(&[("a.py", "a = 0\n")]);
    watching(&project, |_| {
        for round in 0..30 {
            let path = format!("f{}/n{round}.py", round % 3);
            project.write(&path, &format!("n = {round}\n"));
            // Nothing is missing afterwards, whether the watcher has stored it or not.
            project.explore();
            assert_eq!(project.delta(), [], "round {round}");
            let files = project.explore().stats.file_count;
            assert_eq!(files, round + 2, "round {round}");
        }
    });
}

#[test]
fn one_project_has_one_watcher() {
    let project = Project::with(&[("a.py", "a = 0\n")]);
    watching(&project, |_| {
        let second = project
            .context()
            .watch(&project.root, Following::every(LONG), &mut |_| {
                ControlFlow::Break(())
            });
        assert!(second.is_err());
    });
    let again = project
        .context()
        .watch(&project.root, Following::every(LONG), &mut |_| {
            ControlFlow::Break(())
        });
    assert!(again.is_ok());
}
