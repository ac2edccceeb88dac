import type { Command } from 'commander';
import { refuseOtherEnvironment } from '../platform/environment.ts';
import { withDatabase } from './command.ts';
import { type Answering, print } from './print.ts';

export function migrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('migrate the database to the schema of this release')
    .action((options: Answering) =>
      withDatabase('migrate', async ({ config, sql, migrate }) => {
        await refuseOtherEnvironment(sql, config.ENVIRONMENT);
        const { applied } = await migrate();
        // The migration that creates the record may have filled it.
        await refuseOtherEnvironment(sql, config.ENVIRONMENT);
        const text = applied.length > 0 ? applied.map((name) => `applied ${name}`) : 'up to date';
        print(text, { applied }, options);
      }),
    );
}
