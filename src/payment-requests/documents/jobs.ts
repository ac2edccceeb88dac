import type { DrawingJobs } from '../../platform/drawing/thread.ts';
import type { CouponBundle } from './coupon.ts';
import type { CouponModel } from './model.ts';
import type { ReceiptDocument } from './receipt.ts';

type Serialized<T> = {
  [K in keyof T]: T[K] extends Temporal.PlainDate | Temporal.Instant ? string : T[K];
};

type CouponJson = Omit<Serialized<CouponModel>, 'dues'> & {
  dues: readonly { day: string; total: CouponModel['dues'][0]['total'] }[];
};

/** Parses a coupon from JSON, in which days are strings. */
function couponIn(json: string): CouponModel {
  const { dues, issuedOn, ...rest } = JSON.parse(json) as CouponJson;
  const dated = dues.map((due) => ({ ...due, day: Temporal.PlainDate.from(due.day) }));
  return {
    ...rest,
    dues: dated as unknown as CouponModel['dues'],
    issuedOn: Temporal.PlainDate.from(issuedOn),
  };
}

function receiptIn(json: string): ReceiptDocument {
  const { at, ...rest } = JSON.parse(json) as Serialized<ReceiptDocument>;
  return { ...rest, at: Temporal.Instant.from(at) };
}

const picture = (logo: Uint8Array | null): Buffer | null => logo && Buffer.from(logo);

/** Unfinished bundles of this thread, by the name that the caller gave. */
const bundles = new Map<string, CouponBundle>();

function bundleOf(name: string): CouponBundle {
  const bundle = bundles.get(name);
  if (!bundle) throw new Error('the bundle is gone: another thread draws by now');
  return bundle;
}

/** Jobs of the drawing thread. Models arrive as JSON. */
export const jobs = {
  async coupon(json: string, logo: Uint8Array | null): Promise<Buffer> {
    const { renderCoupon } = await import('./coupon.ts');
    return await renderCoupon(couponIn(json), picture(logo));
  },
  async receipt(json: string, logo: Uint8Array | null): Promise<Buffer> {
    const { renderReceipt } = await import('./receipt.ts');
    return await renderReceipt(receiptIn(json), picture(logo));
  },
  async barcodePng(digits: string): Promise<Buffer> {
    const { barcodePng } = await import('./barcode-image.ts');
    return await barcodePng(digits);
  },
  async barcodeSvg(digits: string): Promise<string> {
    const { barcodeSvg } = await import('./barcode-image.ts');
    return barcodeSvg(digits);
  },
  async openBundle(name: string, issuer: string, logo: Uint8Array | null): Promise<string> {
    const { openBundle } = await import('./coupon.ts');
    bundles.set(name, openBundle(issuer, picture(logo)));
    return '';
  },
  /** Adds a coupon. Returns the bytes since the last call. */
  addToBundle(name: string, json: string): Buffer {
    const bundle = bundleOf(name);
    bundle.add(couponIn(json));
    return bundle.taken();
  },
  endBundle: (name: string): Promise<Buffer> => bundleOf(name).end(),
  dropBundle(name: string): string {
    bundles.delete(name);
    return '';
  },
} satisfies DrawingJobs;
