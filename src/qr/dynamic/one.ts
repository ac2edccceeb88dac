import type { Base, Ctx } from '../../platform/base.ts';
import type { CreationOutcome, IdempotencyClaim } from '../../platform/idempotency.ts';
import { type QrTerms, refuseUnlessOffered } from '../payload/payload.ts';
import type { DeleteQrs } from './delete.ts';
import type { EditQrs } from './edit.ts';
import type { SaveQrs } from './save.ts';

interface Verbs {
  save(call: SaveQrs): Promise<CreationOutcome>;
  edit: EditQrs;
  remove: DeleteQrs;
}

/**
 * Loads the parsing code on the first call, because commands build these verbs without calling
 * them.
 */
const reading = () => import('./read.ts');

/** Builds the verbs for one QR, for our forms. Faults name the form's fields. */
export const oneQr = ({ clocks }: Base, terms: QrTerms, { save, edit, remove }: Verbs) => ({
  async save(ctx: Ctx, item: unknown, claim: IdempotencyClaim | null): Promise<CreationOutcome> {
    refuseUnlessOffered(terms);
    const { readItems } = await reading();
    const bytes = Buffer.from(JSON.stringify({ total_count: 1, data: [item] }));
    return await save({ ctx, batch: await readItems(clocks, bytes, ctx), claim });
  },
  async edit(ctx: Ctx, sent: string, item: unknown): Promise<void> {
    const { pathId, readOneEdit } = await reading();
    const id = pathId(sent, ctx);
    await edit({ ctx, batch: readOneEdit(clocks, item, id, ctx), single: true });
  },
  async remove(ctx: Ctx, sent: string): Promise<void> {
    const { pathId, readOneId } = await reading();
    const id = pathId(sent, ctx);
    await remove({ ctx, batch: readOneId({}, id, ctx), single: true });
  },
});
