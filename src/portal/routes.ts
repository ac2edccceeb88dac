import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import type { App } from '../platform/http/server.ts';
import { frameAssets } from './frame/assets.ts';
import { createPortal, failureRoutes } from './frame/index.ts';
import { everyPage, type PortalParts } from './pages.ts';
import { sampleStyles } from './styles/assets.ts';
import { stylesRoutes } from './styles/routes.ts';

const formLimitBytes = 64 * 1024;

export const portalAssets = [...frameAssets, sampleStyles];

export async function portalRoutes(app: App, parts: PortalParts): Promise<void> {
  await app.register(
    async (pages) => {
      // Browsers send forms, so accept no other content type.
      pages.removeAllContentTypeParsers();
      await pages.register(formbody, {
        bodyLimit: formLimitBytes,
        parser: (text) => new URLSearchParams(text) as unknown as Record<string, unknown>,
      });
      await pages.register(multipart);
      failureRoutes(pages, parts);
      if (parts.sandbox) stylesRoutes(pages);
      everyPage(createPortal(pages, parts), parts);
    },
    { prefix: '/portal' },
  );
}
