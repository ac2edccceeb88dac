import { declareRefusals } from '../refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, ...refusals } = declareRefusals(
  {
    'backup.not_configured': {
      kind: 'conflict',
      parameters: {},
      help: 'Backup commands need the store (`BACKUP_TO`) and its keys (`BACKUP_KEYS`).',
    },
    'backup.none': {
      kind: 'not_found',
      parameters: { place: 'text' },
      help: 'Check `BACKUP_TO`. `backup create` takes a first backup.',
    },
    'backup.not_found': {
      kind: 'not_found',
      parameters: { id: 'text', place: 'text' },
      help: '`backup list` shows the ids.',
    },
    'backup.not_whole': {
      kind: 'conflict',
      parameters: { id: 'text', state: 'text', why: 'text' },
      help: 'Restore another backup, or leave out `--backup`.',
    },
    'backup.none_whole': {
      kind: 'conflict',
      parameters: { place: 'text', found: 'text' },
      help: 'Every backup is incomplete or damaged. Look for a copy of the store.',
    },
    'backup.nothing_before': {
      kind: 'conflict',
      parameters: { moment: 'text', id: 'text' },
      help: 'Restore that moment or a later one. An older backup, if there is one, reaches further back: leave out `--backup`.',
    },
    'backup.too_late': {
      kind: 'conflict',
      parameters: { moment: 'text' },
      help: 'No log is stored from that moment to the requested one. Leave out `--at` for the latest state, or restore the end of a newer backup.',
    },
    'backup.log_missing': {
      kind: 'conflict',
      parameters: { timeline: 'count', from: 'text', to: 'text', id: 'text', moment: 'text' },
      help: 'Part of the log is gone. Restore the moment in the message, or another base backup.',
    },
    'backup.history_missing': {
      kind: 'conflict',
      parameters: { timeline: 'count' },
      help: 'The file that records where a promoted server left its primary is gone. Look for a copy of the store.',
    },
    'backup.no_way': {
      kind: 'conflict',
      parameters: { timeline: 'count', id: 'text' },
      help: 'The log branched off before the backup ended, or belongs to another server. Restore another base backup, older or newer.',
    },
    'backup.folder_taken': {
      kind: 'conflict',
      parameters: { folder: 'text' },
      help: 'A restore never overwrites a database. Choose another folder.',
    },
    'backup.restore_cut': {
      kind: 'conflict',
      parameters: { folder: 'text' },
      help: 'An earlier restore was interrupted. Remove its folder, and restore again.',
    },
    'backup.programs_missing': {
      kind: 'conflict',
      parameters: { id: 'text', major: 'text', brought: 'text' },
      help: 'Only the programs of the same major version can restore a backup.',
    },
    'backup.recovery_failed': {
      kind: 'failed',
      parameters: { said: 'text' },
      help: 'The message contains the log of PostgreSQL. Restore an earlier moment, or another base backup.',
    },
    'backup.log_unreadable': {
      kind: 'failed',
      parameters: { end: 'text', last: 'text' },
      help: 'PostgreSQL cannot read the log from there on. Restore an earlier moment, or another base backup.',
    },
    'backup.timeline_differs': {
      kind: 'conflict',
      parameters: { timeline: 'count', place: 'text' },
      help: 'Two servers were promoted to the same timeline. If their logs were mixed, neither server could be restored.',
    },
    'backup.object_missing': {
      kind: 'conflict',
      parameters: { name: 'text' },
      help: 'Someone removed it from the store, or `backup run` did because it had expired. Restore another base backup or moment.',
    },
    'backup.object_damaged': {
      kind: 'conflict',
      parameters: { name: 'text' },
      help: 'Its bytes are not those that were stored. Restore another base backup or moment, or look for a copy of the store.',
    },
    'backup.object_replaced': {
      kind: 'conflict',
      parameters: { name: 'text' },
      help: 'Someone replaced it with another object, such as an older one. Restore another base backup.',
    },
    'backup.key_missing': {
      kind: 'conflict',
      parameters: { name: 'text', id: 'text' },
      help: 'Add that key to `BACKUP_KEYS`, after the first.',
    },
    'backup.key_differs': {
      kind: 'conflict',
      parameters: { name: 'text', id: 'text' },
      help: 'Two different keys had this id. Put the one that encrypted the backup into `BACKUP_KEYS`.',
    },
    'backup.of_another_database': {
      kind: 'conflict',
      parameters: { place: 'text' },
      help: 'With a shared store, a restore could bring back the wrong database. A server created by initdb or pg_upgrade counts as another database.',
    },
    'backup.clocks_differ': {
      kind: 'conflict',
      parameters: { own: 'text', server: 'text' },
      help: 'The base backup is stored, but no old one is removed. Set both clocks with NTP.',
    },
    'backup.tablespaces': {
      kind: 'conflict',
      parameters: {},
      help: 'Drop the empty tablespaces too, or use the backup tools of PostgreSQL.',
    },
    'backup.store_away': {
      kind: 'unavailable',
      parameters: { place: 'text', why: 'text' },
      help: 'Check the network and the address. `backup run` retries by itself.',
    },
    'backup.store_refused': {
      kind: 'unavailable',
      parameters: { place: 'text', method: 'text', status: 'text' },
      help: 'Check the permissions of the access key, and that the bucket exists. With a status of 500 or more, the store itself failed: retry later.',
    },
    'backup.store_full': {
      kind: 'unavailable',
      parameters: { place: 'text', why: 'text' },
      help: 'Free some space, or lower `BACKUP_KEEP_DAYS`. For EFBIG, raise the limit on the size of files. A partly written backup is never restored.',
    },
  },
  { en, es },
);
