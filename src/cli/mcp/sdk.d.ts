/**
 * The part of the SDK that we use. Its own declarations bring those of zod, which we have no use
 * for: tools declare their input with typebox.
 */
declare module '@modelcontextprotocol/server' {
  export interface ToolAnnotations {
    readOnlyHint?: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint?: boolean;
  }

  export interface ToolResult {
    content: { type: 'text'; text: string }[];
    isError?: boolean;
  }

  interface Schema<T> {
    readonly '~standard': { readonly types?: { readonly output: T } };
  }

  export class McpServer {
    constructor(
      info: { name: string; version: string },
      options: { capabilities: { tools: object }; instructions: string },
    );
    registerTool<T>(
      name: string,
      config: {
        title: string;
        description: string;
        inputSchema: Schema<T>;
        annotations: ToolAnnotations;
      },
      run: (args: T) => Promise<ToolResult>,
    ): unknown;
  }

  export function fromJsonSchema<T>(schema: object): Schema<T>;
}

declare module '@modelcontextprotocol/server/stdio' {
  import type { McpServer } from '@modelcontextprotocol/server';

  export function serveStdio(
    factory: () => McpServer,
    options: { onerror: (error: Error) => void },
  ): unknown;
}
