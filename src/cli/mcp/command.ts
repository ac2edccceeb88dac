import type { Command } from 'commander';
import { invocation } from '../invocation.ts';
import { placeIn } from './place.ts';

/** Adds `mcp`, tools for agents. Needs no database, and loads the SDK only when it runs. */
export function mcpCommand(program: Command): void {
  program
    .command('mcp')
    .description(
      'serve tools for agents over stdio (Model Context Protocol); docs/how-to/agents.md',
    )
    .option('--live', 'allow a production key and service')
    .action(async ({ live = false }: { live?: boolean }) => {
      const place = placeIn(invocation().env, live);
      const { serveTools } = await import('./serve.ts');
      serveTools(place, invocation().stderr);
    });
}
