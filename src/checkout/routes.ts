import type { App } from '../platform/http/server.ts';
export const checkoutRoutes = async (_app: App, _parts: unknown): Promise<void> => {};
