package client

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"log"
	"os"
	"path/filepath"
)

// longestToken bounds what is read from the file.
const longestToken = 4096

// memory keeps the resume token in a file, so that a program that was killed and is started again gets its tables back.
// The file is locked while the bot plays: a second bot under the same name does not steal the tables of the first. If
// the file cannot be used, the token is remembered for this run only.
type memory struct {
	token string
	file  *os.File
}

// openMemory reads what an earlier run remembered for this referee and name; a bot without a name is known by its token.
func openMemory(config Config) *memory {
	m := &memory{}
	if config.State == "" {
		return m
	}
	digest := sha256.Sum256([]byte(config.Address + "\x00" + cmp.Or(config.Name, config.Token)))
	path := filepath.Join(config.State, "resume-"+hex.EncodeToString(digest[:])[:32])
	err := os.MkdirAll(config.State, 0o700)
	if err == nil {
		m.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	}
	if err == nil {
		if err = lock(m.file); err != nil {
			m.file.Close()
			m.file = nil
		}
	}
	if err != nil {
		log.Printf("the resume token is not remembered: %v", err)
		return m
	}
	if text, err := io.ReadAll(io.LimitReader(m.file, longestToken)); err == nil {
		m.token = string(text)
	}
	return m
}

// keep remembers a token; an empty one: nothing.
func (m *memory) keep(token string) {
	if token == m.token {
		return
	}
	m.token = token
	if m.file == nil {
		return
	}
	err := m.file.Truncate(0)
	if err == nil {
		_, err = m.file.WriteAt([]byte(token), 0)
	}
	if err != nil {
		log.Printf("the resume token is not remembered: %v", err)
	}
}

// close ends the memory; the file stays only if something is left to resume.
func (m *memory) close(needed bool) {
	if m.file == nil {
		return
	}
	if !needed || m.token == "" {
		os.Remove(m.file.Name())
	}
	m.file.Close()
}
