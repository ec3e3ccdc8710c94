// Builds example-plugin.wasm, the component that plugin.toml names.

import { writeFile } from 'node:fs/promises';

import { componentize } from '@bytecodealliance/componentize-js';

process.chdir(import.meta.dirname);
const { component } = await componentize({
  sourcePath: 'component.js',
  witPath: 'wit',
  worldName: 'plugin',
  // A plugin has no network; acreta refuses a component that asks for it.
  disableFeatures: ['http', 'fetch-event'],
});
await writeFile('example-plugin.wasm', component);
console.log(`example-plugin.wasm: ${(component.length / 1e6).toFixed(1)} MB`);
