//! What is made from the table of options for others to read: completions for shells, and the manual.

use std::io;

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use super::Cli;

impl Cli {
    /// The script with which a shell completes the program's options and subcommands.
    pub fn completions(shell: Shell) -> Vec<u8> {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Self::command(), "warpreel", &mut script);
        script
    }

    /// A page of the manual, for `man`: that of the program, or that of a subcommand, such as `bench`.
    ///
    /// # Errors
    /// The names that there are, if `subcommand` is none of them.
    pub fn manual(subcommand: Option<&str>) -> Result<Vec<u8>, String> {
        let mut command = Self::command();
        command.build();
        if let Some(name) = subcommand {
            let found = command.find_subcommand(name).filter(|found| found.get_name() != "help").cloned();
            let names = || command.get_subcommands().map(clap::Command::get_name).filter(|name| *name != "help");
            let wrong = || format!("{name:?} has no page; type one of {}", names().collect::<Vec<_>>().join(", "));
            command = found.ok_or_else(wrong)?.version(env!("CARGO_PKG_VERSION"));
        }
        let mut page = Vec::new();
        let written: io::Result<()> = Man::new(command).render(&mut page);
        written.map(|()| page).map_err(|error| error.to_string())
    }
}
