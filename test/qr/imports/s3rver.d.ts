declare module 's3rver' {
  /** The part that the tests use. */
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      vhostBuckets: boolean;
      configureBuckets: { name: string }[];
    });
    readonly httpServer: import('node:http').Server;
    run(): Promise<{ address: string; port: number }>;
    close(): Promise<void>;
  }
}
