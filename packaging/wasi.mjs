// Runs a program for wasm32-wasip1: node packaging/wasi.mjs FOLDER PROGRAM [ARGUMENT...]
// The program sees FOLDER and what is in it, by its own path.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [folder, program, ...rest] = process.argv.slice(2);
const preopens = { [folder]: folder };
const wasi = new WASI({ version: "preview1", args: [program, ...rest], env: process.env, preopens });
const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
