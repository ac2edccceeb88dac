import { declareRefusals } from '../../refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, ...refusals } = declareRefusals(
  {
    'distribution.no_extension': {
      kind: 'conflict',
      parameters: {},
      help: '`docs/explanation/scaling.md` explains how to set up the nodes.',
    },
    'distribution.no_coordinator': {
      kind: 'conflict',
      parameters: {},
      help: 'Every node needs the address of the coordinator.',
    },
    'distribution.no_worker': {
      kind: 'conflict',
      parameters: {},
      help: "Workers store the shards. If one is active but excluded, run `select citus_set_node_property(host, port, 'shouldhaveshards', true)`.",
    },
    'distribution.others_connected': {
      kind: 'conflict',
      parameters: { names: 'text' },
      help: 'Other processes would use tables that are moving.',
    },
    'distribution.under_way': {
      kind: 'conflict',
      parameters: {},
      help: 'Wait until the other command has ended.',
    },
    'distribution.done_before': {
      kind: 'conflict',
      parameters: {},
      help: 'There is nothing left to do.',
    },
    'distribution.not_owner': {
      kind: 'conflict',
      parameters: { role: 'text' },
      help: 'Only the owner of the tables can distribute them.',
    },
  },
  { en, es },
);
