import { declareRefusals } from '../../refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

/** Refusals to distribute a database over nodes. */
export const { refusal, ...refusals } = declareRefusals(
  {
    'distribution.no_extension': {
      kind: 'conflict',
      parameters: {},
      help: '`docs/explanation/scaling.md` says how to set up the nodes.',
    },
    'distribution.no_coordinator': {
      kind: 'conflict',
      parameters: {},
      help: 'The nodes must know how to reach the coordinator.',
    },
    'distribution.no_worker': {
      kind: 'conflict',
      parameters: {},
      help: 'Shards lie on workers. Add at least one.',
    },
    'distribution.others_connected': {
      kind: 'conflict',
      parameters: { names: 'text' },
      help: 'Other processes would meet tables that are being moved.',
    },
    'distribution.under_way': {
      kind: 'conflict',
      parameters: {},
      help: 'Wait until the other call has ended.',
    },
    'distribution.done_before': {
      kind: 'conflict',
      parameters: {},
      help: 'Nothing is left to do.',
    },
    'distribution.not_owner': {
      kind: 'conflict',
      parameters: { role: 'text' },
      help: 'Only the owner of the tables can move them.',
    },
  },
  { en, es },
);
