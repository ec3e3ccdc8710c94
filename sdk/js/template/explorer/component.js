// The component: hands the host's search to the plugin.

import { find } from 'acreta:host/search@0.1.0';

import * as plugin from './plugin.js';

/** @satisfies {typeof import('acreta:explorer/explorer@0.1.0')} */
export const explorer = {
  explore: (batch) => plugin.explore(batch, find),
};
