#!/usr/bin/env node
// Starts the binary of the package for this system, and ends as it ends.
"use strict"
const { spawn } = require("node:child_process")

const name = `acreta-${process.platform}-${process.arch}`
const program = process.platform === "win32" ? "acreta.exe" : "acreta"
let binary
try {
  binary = require.resolve(`${name}/bin/${program}`)
} catch {
  console.error(
    `error: the package ${name}, which has the program for this system, is not installed\n\n` +
      "hint: install again with optional packages (npm: --include=optional); there are packages for linux x64 and arm64,\n" +
      "macOS arm64 and x64, and Windows x64"
  )
  process.exit(1)
}

const child = spawn(binary, process.argv.slice(2), { stdio: "inherit", windowsHide: true })
// The terminal sends these to the child as well; what only this process gets is handed on.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
child.on("error", (error) => {
  console.error(`error: \`${binary}\` could not be started: ${error.message}`)
  process.exit(1)
})
child.on("exit", (code, signal) => {
  if (!signal) process.exit(code)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})
