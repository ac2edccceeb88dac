import type { Command } from 'commander';
import { withDatabase } from './command.ts';
import { print } from './print.ts';

export function migrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('bring the database to the schema of this release')
    .action(() =>
      withDatabase('migrate', async ({ migrate }) => {
        const { applied } = await migrate();
        print(
          applied.length > 0 ? applied.map((name) => `applied ${name}`).join('\n') : 'up to date',
        );
      }),
    );
}
