//! Generates the stubs of the referee's protocol, with a protoc that comes with the dependencies.

use std::{error::Error, fs, path::PathBuf};

const PROTO: &str = "../../proto";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(PROTO).join("referee/v1");
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "proto") {
            files.push(path);
        }
    }
    files.sort();
    let mut config = prost_build::Config::new();
    config.protoc_executable(protoc_bin_vendored::protoc_bin_path()?);
    tonic_prost_build::configure().build_server(false).compile_with_config(config, &files, &[PathBuf::from(PROTO)])?;
    println!("cargo:rerun-if-changed={}", folder.display());
    Ok(())
}
