import { catalog } from '../../language/catalog.ts';
import en from './channels.en.json' with { type: 'json' };
import es from './channels.es.json' with { type: 'json' };

/** Short names of channels, for lists. */
export const channelNames = catalog({ en, es });
