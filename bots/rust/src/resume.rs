//! Remembers the resume token in a file, so that a program that was killed and is started again gets its tables back.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// Most that is read from the file.
const LONGEST_TOKEN: u64 = 4096;

/// The resume token of one bot at one referee. Its file is locked while the bot plays: a second bot under the same name
/// does not steal the tables of the first. If the file cannot be used, the token is remembered for this run only.
pub struct Memory {
    token: String,
    file: Option<(File, PathBuf)>,
}

impl Memory {
    /// Reads what an earlier run remembered for this referee and player.
    pub fn open(folder: Option<&Path>, address: &str, player: &str) -> Self {
        let mut memory = Self { token: String::new(), file: None };
        let Some(folder) = folder else { return memory };
        match open(folder, &format!("{address}\0{player}")) {
            Ok((file, path)) => {
                let mut text = String::new();
                if (&file).take(LONGEST_TOKEN).read_to_string(&mut text).is_ok() {
                    memory.token = text;
                }
                memory.file = Some((file, path));
            }
            Err(error) => eprintln!("kumite: the resume token is not remembered: {error}"),
        }
        memory
    }

    /// What is remembered; empty: nothing.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Remembers a token; an empty one: nothing.
    pub fn keep(&mut self, token: &str) {
        if token == self.token {
            return;
        }
        token.clone_into(&mut self.token);
        if let Some((file, _)) = &mut self.file
            && let Err(error) = overwrite(file, token)
        {
            eprintln!("kumite: the resume token is not remembered: {error}");
        }
    }

    /// Removes the file: nothing is left to resume.
    pub fn forget(&mut self) {
        if let Some((_, path)) = self.file.take() {
            let _ = fs::remove_file(path);
        }
    }
}

fn open(folder: &Path, key: &str) -> io::Result<(File, PathBuf)> {
    fs::create_dir_all(folder)?;
    let digest: [u8; 32] = Sha256::digest(key).into();
    let start = digest.first_chunk().copied().unwrap_or_default();
    let path = folder.join(format!("resume-{:032x}", u128::from_be_bytes(start)));
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(&path)?;
    file.try_lock()?;
    Ok((file, path))
}

fn overwrite(file: &mut File, text: &str) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(text.as_bytes())
}
