import { declareRefusals } from '../refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

/** Refusals to take or restore backups. */
export const { refusal, ...refusals } = declareRefusals(
  {
    'backup.not_configured': {
      kind: 'conflict',
      parameters: {},
      help: 'Commands of backups need the store and its keys.',
    },
    'backup.none': {
      kind: 'not_found',
      parameters: { place: 'text' },
      help: 'See BACKUP_TO. `backup create` takes a first backup.',
    },
    'backup.not_found': {
      kind: 'not_found',
      parameters: { id: 'text', place: 'text' },
      help: '`backup list` has the ids.',
    },
    'backup.not_whole': {
      kind: 'conflict',
      parameters: { id: 'text', state: 'text', why: 'text' },
      help: 'Restore another one, or leave out `--backup`.',
    },
    'backup.none_whole': {
      kind: 'conflict',
      parameters: { place: 'text', found: 'text' },
      help: 'Each was cut short or damaged. Look for a copy of the store.',
    },
    'backup.nothing_before': {
      kind: 'conflict',
      parameters: { moment: 'text', id: 'text' },
      help: 'Restore a later moment.',
    },
    'backup.too_late': {
      kind: 'conflict',
      parameters: { moment: 'text' },
      help: 'Restore that moment, or leave out `--at`.',
    },
    'backup.log_missing': {
      kind: 'conflict',
      parameters: { timeline: 'count', from: 'text', to: 'text', id: 'text', moment: 'text' },
      help: 'Part of the log is gone. Restore the moment that is named, or another base backup.',
    },
    'backup.history_missing': {
      kind: 'conflict',
      parameters: { timeline: 'count' },
      help: 'The file that says where a promoted server left its primary is gone. Look for a copy of the store.',
    },
    'backup.no_way': {
      kind: 'conflict',
      parameters: { timeline: 'count', id: 'text' },
      help: 'The server that is backed up now does not descend from that backup. Restore a newer base backup.',
    },
    'backup.folder_taken': {
      kind: 'conflict',
      parameters: { folder: 'text' },
      help: 'A restore never writes over a database. Name another folder.',
    },
    'backup.restore_cut': {
      kind: 'conflict',
      parameters: { folder: 'text' },
      help: 'An earlier restore was killed. Remove its folder, and restore again.',
    },
    'backup.programs_missing': {
      kind: 'conflict',
      parameters: { id: 'text', major: 'text', brought: 'text' },
      help: 'A backup is restored by the programs of its own major version.',
    },
    'backup.recovery_failed': {
      kind: 'failed',
      parameters: { said: 'text' },
      help: 'The text is what PostgreSQL logged. Restore an earlier moment, or another base backup.',
    },
    'backup.object_missing': {
      kind: 'conflict',
      parameters: { name: 'text' },
      help: 'Somebody removed it from the store. Restore another base backup or moment.',
    },
    'backup.object_damaged': {
      kind: 'conflict',
      parameters: { name: 'text' },
      help: 'Its bytes are not those that were stored. Restore another base backup or moment.',
    },
    'backup.object_replaced': {
      kind: 'conflict',
      parameters: { name: 'text' },
      help: 'Somebody put an older object in its place. Restore another base backup.',
    },
    'backup.key_missing': {
      kind: 'conflict',
      parameters: { name: 'text', id: 'text' },
      help: 'Add that key to BACKUP_KEYS, behind the first.',
    },
    'backup.key_differs': {
      kind: 'conflict',
      parameters: { name: 'text', id: 'text' },
      help: 'Two keys had one id. Find the older one.',
    },
    'backup.of_another_database': {
      kind: 'conflict',
      parameters: { place: 'text' },
      help: 'A restore could bring back the wrong database.',
    },
    'backup.tablespaces': {
      kind: 'conflict',
      parameters: {},
      help: 'Move the tables into the default tablespace, or use other means.',
    },
    'backup.store_away': {
      kind: 'unavailable',
      parameters: { place: 'text', why: 'text' },
      help: 'See the network and the address. `backup run` tries again by itself.',
    },
    'backup.store_refused': {
      kind: 'unavailable',
      parameters: { place: 'text', method: 'text', status: 'text' },
      help: 'See the rights of the key, and whether the bucket exists.',
    },
    'backup.store_full': {
      kind: 'unavailable',
      parameters: { place: 'text', why: 'text' },
      help: 'Make room, or lower BACKUP_KEEP_DAYS. Nothing half-written counts as a backup.',
    },
  },
  { en, es },
);
