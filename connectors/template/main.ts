import { isAddress, readCommon, readVariables } from '../protocol/environment.ts';
import { serve } from '../protocol/serve.ts';
import { logLine, runUntilStopped } from '../protocol/start.ts';
import { template } from './connector.ts';

const isYesOrNo = (value: string): string | null =>
  value === 'yes' || value === 'no' ? null : 'be `yes` or `no`';

/** Runs the template configured by the environment until a signal stops it. */
export async function startTemplate(env: NodeJS.ProcessEnv): Promise<void> {
  const variables = readVariables(env);
  const common = readCommon(variables, 'template', 8481);
  const config = {
    acquirerUrl: variables.text('TEMPLATE_ACQUIRER_URL', isAddress).replace(/\/$/, ''),
    acquirerKey: variables.text('TEMPLATE_ACQUIRER_KEY'),
    isTest: variables.optional('TEMPLATE_TEST', 'no', isYesOrNo) === 'yes',
  };
  variables.check();
  await runUntilStopped(() => serve(template(config), { ...common, log: logLine }));
}
