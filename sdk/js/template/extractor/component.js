// The component: hands the host's table of memory types to the plugin.

import { memoryTypes } from 'acreta:host/registry@0.1.0';

import * as plugin from './plugin.js';

/** @satisfies {typeof import('acreta:extractor/extractor@0.1.0')} */
export const extractor = {
  extract: (_session, events) => plugin.extract(events, memoryTypes()),
  summarise: (_session, events) => plugin.summarise(events),
};
