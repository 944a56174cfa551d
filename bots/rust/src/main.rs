//! A bot for the Kumite referee: random in every game, and with `--bot ninjato` a player of Ninjato.

mod client;
mod ninjato;
mod random;
mod redial;
mod resume;
mod session;

/// The messages of the protocol, generated from `proto/`.
#[allow(clippy::all)]
mod proto {
    tonic::include_proto!("referee.v1");
}

use std::{env, path::PathBuf, process::ExitCode};

use clap::{Parser, ValueEnum};

use crate::client::{Bot, Config};
use crate::ninjato::Ninjato;
use crate::random::Random;

const ADDRESS: &str = "localhost:7400";
/// Part of what the bot tells the referee: on a ladder a changed version is a new build, rated apart.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR"));

/// A bot for the Kumite referee
#[derive(Parser)]
#[command(version = VERSION)]
struct Options {
    /// The referee: host:port or unix:/path
    #[arg(long, env = "KUMITE_ADDRESS", default_value = ADDRESS)]
    address: String,
    /// Name at the referee [default: `$KUMITE_NAME` or rust-random and the like; with a token none: the token is the name]
    #[arg(long, default_value = "", hide_default_value = true)]
    name: String,
    /// Bearer token, if the referee wants one
    #[arg(long, env = "KUMITE_TOKEN", default_value = "", hide_default_value = true, hide_env_values = true)]
    token: String,
    /// Use TLS and trust the certificate authority in this PEM file
    #[arg(long, value_name = "FILE")]
    tls_ca: Option<PathBuf>,
    /// Who plays
    #[arg(long, value_enum, default_value = "random")]
    bot: Player,
    /// Tables to play at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    tables: u32,
    /// What all luck of the bot grows from [default: a random number]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Folder for the resume token [default: `$XDG_STATE_HOME/kumite` or ~/.local/state/kumite]
    #[arg(long, value_name = "DIR", env = "KUMITE_STATE")]
    state: Option<PathBuf>,
}

/// The bots of this program.
#[derive(Clone, Copy, ValueEnum)]
enum Player {
    Random,
    Ninjato,
}

impl Player {
    fn make(self) -> Box<dyn Bot> {
        match self {
            Player::Random => Box::new(Random),
            Player::Ninjato => Box::new(Ninjato::new(Random)),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Player::Random => "random",
            Player::Ninjato => "ninjato",
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let options = Options::parse();
    let player = options.bot;
    let mut config = Config {
        address: options.address,
        name: options.name,
        token: options.token,
        tls_ca: options.tls_ca,
        state: options.state.filter(|folder| !folder.as_os_str().is_empty()).or_else(state_folder),
        software: format!("kumite-rust {} {}", player.name(), VERSION),
        tables: options.tables,
        seed: options.seed.unwrap_or_else(rand::random),
    };
    if config.address.is_empty() {
        ADDRESS.clone_into(&mut config.address);
    }
    // With a token the referee knows the name.
    if config.name.is_empty() && config.token.is_empty() {
        let told = env::var("KUMITE_NAME").ok().filter(|name| !name.is_empty());
        config.name = told.unwrap_or_else(|| format!("rust-{}", player.name()));
    }
    match client::run(config, player.make(), stopped()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(line) => {
            eprintln!("kumite: {line}");
            ExitCode::from(2)
        }
    }
}

/// Waits until the program is asked to end.
async fn stopped() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let Ok(mut terminated) = signal(SignalKind::terminate()) else {
            return std::future::pending().await;
        };
        tokio::select! {
            _ = interrupted => {}
            _ = terminated.recv() => {}
        }
    }
    #[cfg(not(unix))]
    {
        let _ = interrupted.await;
    }
}

/// Where programs keep what they need to remember for this user.
fn state_folder() -> Option<PathBuf> {
    let set = |variable| env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = set("XDG_STATE_HOME").or_else(|| Some(env::home_dir()?.join(".local/state")));
    base.map(|base| base.join("kumite"))
}
