import { parsePayload, valueAt } from '../../kernel/emv.ts';
import { hasControl } from '../../kernel/text.ts';
import type { QrTerms } from './payload.ts';

export interface Scanned {
  /** True if an acceptor template names this deployment. */
  ours: boolean;
  kind: 'static' | 'dynamic';
  /** Id of the QR, or '' without one. */
  id: string;
  holderCuit: string | null;
}

/** Why a text is not that of a QR. `parts`: its data objects are malformed. */
type ScanFault = 'control' | 'crc' | 'parts';

/** Parses the text of a QR, or returns its fault. */
export function readScanned(data: string, { acceptorDomain }: QrTerms): Scanned | ScanFault {
  // Anyone can print a code, and the database rejects some control characters.
  if (hasControl(data, { lineBreaks: false })) return 'control';
  const parsed = parsePayload(data);
  if (!parsed.ok) return parsed.fault === 'crc' ? 'crc' : 'parts';
  const { objects } = parsed;
  return {
    ours:
      acceptorDomain !== null &&
      objects.some(
        ({ id, children = [] }) =>
          id >= '26' && id <= '49' && valueAt(children, '00') === acceptorDomain,
      ),
    kind: valueAt(objects, '01') === '11' ? 'static' : 'dynamic',
    id: valueAt(objects, '62', '01') ?? '',
    holderCuit: valueAt(objects, '50', '00'),
  };
}
