//! Parses a shell command line into pipelines, commands and words. Not a shell: syntax that it does not understand
//! becomes words, and nothing is run or expanded.

/// A parsed command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ShellLine {
    pub(crate) pipelines: Vec<Pipeline>,
    /// True if it writes output to a file.
    pub(crate) writes: bool,
    /// True if it contains a here-document.
    pub(crate) has_document: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pipeline {
    /// Operator that joins it to the previous one.
    joint: PipelineJoint,
    pub(crate) commands: Vec<ShellCommand>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum PipelineJoint {
    #[default]
    Start,
    And,
    Or,
    Sequence,
    Background,
}

/// One program with its arguments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ShellCommand {
    /// `NAME=value` before the program.
    pub(crate) environment: Vec<String>,
    /// Without their quotes.
    pub(crate) words: Vec<String>,
}

impl ShellCommand {
    /// Returns the name of the program, without its folder and `.exe`.
    pub(crate) fn program(&self) -> &str {
        let word = self.words.first().map_or("", String::as_str);
        let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
        name.strip_suffix(".exe").unwrap_or(name)
    }

    /// Returns the first word after the program that is not an option.
    pub(crate) fn verb(&self) -> &str {
        let plain = self.words.iter().skip(1).find(|word| !is_option(word));
        plain.map_or("", String::as_str)
    }

    pub(crate) fn has(&self, word: &str) -> bool {
        self.words.iter().any(|own| own == word)
    }
}

pub(crate) fn is_option(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-')
}

impl ShellLine {
    pub(crate) fn parse(text: &str) -> Self {
        let mut reader = LineParser::new(text);
        reader.read();
        let mut line = reader.line;
        line.pipelines
            .retain(|pipeline| !pipeline.commands.is_empty());
        line.unwrapped()
    }

    /// Replaces `bash -c LINE` by `LINE`.
    fn unwrapped(self) -> Self {
        let [Pipeline { commands, .. }] = self.pipelines.as_slice() else {
            return self;
        };
        match commands.as_slice() {
            [command] if is_shell(command.program()) => match command.words.as_slice() {
                [_, flag, inner] if flag.starts_with('-') && flag.ends_with('c') => {
                    ShellLine::parse(inner)
                }
                _ => self,
            },
            _ => self,
        }
    }

    /// Returns the effective commands: the first of each pipeline, without those that prepare the shell, and without
    /// wrapper programs.
    pub(crate) fn work(&self) -> Vec<ShellCommand> {
        let first = self.pipelines.iter().filter_map(|one| one.commands.first());
        first
            .map(without_wrapper)
            .filter(|command| !PREPARING.contains(&command.program()))
            .collect()
    }

    /// Returns every command, including filters.
    pub(crate) fn commands(&self) -> impl Iterator<Item = ShellCommand> {
        let pipelines = self.pipelines.iter();
        pipelines.flat_map(|one| one.commands.iter().map(without_wrapper))
    }

    /// Reports whether the line's exit code may be that of a command other than the one that matters.
    pub(crate) fn is_masked(&self) -> bool {
        let prepares = |pipeline: &Pipeline| {
            let mut commands = pipeline.commands.iter();
            commands.all(|command| PREPARING.contains(&command.program()))
        };
        let mut before_prepare = true;
        self.pipelines.iter().any(|pipeline| {
            let is_masked = pipeline.commands.len() > 1
                || match pipeline.joint {
                    PipelineJoint::Start | PipelineJoint::And => false,
                    PipelineJoint::Sequence => !before_prepare,
                    PipelineJoint::Or | PipelineJoint::Background => true,
                };
            before_prepare &= prepares(pipeline);
            is_masked
        })
    }
}

fn is_shell(program: &str) -> bool {
    ["bash", "sh", "zsh", "dash"].contains(&program)
}

/// Removes `time`, `timeout 60`, `env` and the like.
fn without_wrapper(command: &ShellCommand) -> ShellCommand {
    let mut command = command.clone();
    loop {
        let skipped = match command.program() {
            "time" | "nohup" | "command" | "nice" | "env" => 1,
            "timeout" => {
                let options = command.words.iter().skip(1);
                2 + options.take_while(|word| is_option(word)).count()
            }
            _ => break,
        };
        // `command -v` and a bare `env` are read-only.
        if command
            .words
            .get(skipped)
            .is_none_or(|word| is_option(word))
        {
            break;
        }
        command.words.drain(..skipped);
        while command
            .words
            .first()
            .is_some_and(|word| is_assignment(word))
        {
            command.environment.push(command.words.remove(0));
        }
    }
    command
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// Programs that prepare the shell or print text, and whose success means nothing.
const PREPARING: &[&str] = &[
    "cd", "pushd", "popd", "export", "set", "source", ".", "echo", "printf", "true", ":", "sleep",
    "clear", "pwd", "unset", "#", "wait", "exit",
];

struct LineParser<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    line: ShellLine,
    pipeline: Vec<ShellCommand>,
    command: ShellCommand,
    joint: PipelineJoint,
    word: String,
    in_word: bool,
    /// The next word is the target of a redirection.
    redirected: Option<bool>,
}

impl<'a> LineParser<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            rest: text.chars().peekable(),
            line: ShellLine::default(),
            pipeline: Vec::new(),
            command: ShellCommand::default(),
            joint: PipelineJoint::Start,
            word: String::new(),
            in_word: false,
            redirected: None,
        }
    }

    fn read(&mut self) {
        while let Some(character) = self.rest.next() {
            match character {
                '\'' => self.quoted('\''),
                '"' => self.quoted('"'),
                '\\' => {
                    if let Some(next) = self.rest.next()
                        && next != '\n'
                    {
                        self.push(next);
                    }
                }
                '$' if self.rest.peek() == Some(&'(') => self.substitution(),
                '#' if !self.in_word => while self.rest.next_if(|next| *next != '\n').is_some() {},
                ' ' | '\t' | '\r' => self.end_word(),
                '\n' | ';' => self.end_pipeline(PipelineJoint::Sequence),
                '&' if self.rest.next_if_eq(&'&').is_some() => {
                    self.end_pipeline(PipelineJoint::And)
                }
                '&' if self.rest.peek() == Some(&'>') => {}
                '&' => self.end_pipeline(PipelineJoint::Background),
                '|' if self.rest.next_if_eq(&'|').is_some() => self.end_pipeline(PipelineJoint::Or),
                '|' => self.end_command(),
                '<' => self.input(),
                '>' => self.output(),
                other => self.push(other),
            }
        }
        self.end_pipeline(PipelineJoint::Sequence);
    }

    fn push(&mut self, character: char) {
        self.word.push(character);
        self.in_word = true;
    }

    fn quoted(&mut self, quote: char) {
        self.in_word = true;
        while let Some(character) = self.rest.next() {
            match character {
                '\\' if quote == '"' => self.word.extend(self.rest.next()),
                end if end == quote => return,
                other => self.word.push(other),
            }
        }
    }

    /// Reads `$( … )` as part of a word.
    fn substitution(&mut self) {
        self.push('$');
        let mut depth = 0;
        for character in self.rest.by_ref() {
            self.word.push(character);
            match character {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    fn input(&mut self) {
        if self.rest.next_if_eq(&'<').is_some() {
            self.line.has_document = true;
        }
        self.end_word();
        self.redirected = Some(false);
    }

    fn output(&mut self) {
        // A digit before it names the stream.
        if self.word.bytes().all(|byte| byte.is_ascii_digit()) {
            self.word.clear();
            self.in_word = false;
        }
        self.end_word();
        let _appends = self.rest.next_if_eq(&'>');
        if self.rest.next_if_eq(&'&').is_some() {
            while self
                .rest
                .next_if(|next| next.is_ascii_digit() || *next == '-')
                .is_some()
            {}
        } else {
            self.redirected = Some(true);
        }
    }

    fn end_word(&mut self) {
        if !std::mem::take(&mut self.in_word) {
            return;
        }
        let word = std::mem::take(&mut self.word);
        if let Some(is_output) = self.redirected.take() {
            self.line.writes |= is_output && !matches!(word.as_str(), "/dev/null" | "NUL");
        } else if self.command.words.is_empty() && is_assignment(&word) {
            self.command.environment.push(word);
        } else {
            self.command.words.push(word);
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        self.redirected = None;
        let command = std::mem::take(&mut self.command);
        if !command.words.is_empty() {
            self.pipeline.push(command);
        }
    }

    fn end_pipeline(&mut self, next: PipelineJoint) {
        self.end_command();
        let commands = std::mem::take(&mut self.pipeline);
        if !commands.is_empty() {
            let joint = std::mem::replace(&mut self.joint, next);
            self.line.pipelines.push(Pipeline { joint, commands });
        }
    }
}
