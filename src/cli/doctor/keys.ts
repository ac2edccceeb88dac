import { stampedAlarms } from '../../audit/index.ts';
import { createBase } from '../../composition/base.ts';
import { auditSealKeys, configuredVault, keysStillNeeded } from '../../composition/keys.ts';
import { waitingForRewrap } from '../../composition/machine.ts';
import { createLog } from '../../platform/log.ts';
import { createKeyRing, keyPurposes } from '../../secrets/index.ts';
import { invocation } from '../invocation.ts';
import { broken, type Check, type Checked, type Finding, look, ok } from './finding.ts';

async function lookAtVault({ config, database: { sql } }: Checked): Promise<Finding> {
  const vault = await configuredVault(config);
  const keys = await auditSealKeys(config, sql);
  const log = createLog('silent', invocation().stderr);
  const { base } = await createBase(sql, log, { keys: async () => keys });
  for (const purpose of keyPurposes) await createKeyRing({ ...base, vault }, purpose);
  const alarms = await stampedAlarms(sql, keys);
  if (alarms.length > 0) {
    return look(
      `alarms ${alarms.join(', ')} name rows that these keys stamped: a sealing process lacked these keys, or someone changed the rows and set them back`,
      'If you have just added a key, restart every process with all keys, run `recaudo audit`, and ' +
        'close the alarms with `recaudo alarms close`: add a new key at the end of VAULT_KEYS ' +
        'first, and put it in front in a second step. Otherwise find out who can write to the database.',
    );
  }
  const opens = `decrypts the keys of the service; encrypts with "${vault.keyId()}"`;
  const { lost } = await keysStillNeeded(config, sql);
  if (lost.length > 0) {
    return broken(
      `the audit cannot check what ${lost.join(', ')} sealed`,
      `Add ${lost.join(', ')} to the end of VAULT_KEYS, then run \`recaudo vault rewrap\`.`,
    );
  }
  return (await waitingForRewrap(sql, config, vault.keyId())) === 0
    ? ok(`${opens}; needs no other key`)
    : look(
        `${opens}; older keys are still needed`,
        'Run `recaudo vault rewrap` before you remove one from VAULT_KEYS.',
      );
}

export const keyChecks: readonly Check<Checked>[] = [
  {
    what: 'vault',
    todo: 'Set VAULT_KEYS to the keys that encrypted this database.',
    look: lookAtVault,
  },
];
