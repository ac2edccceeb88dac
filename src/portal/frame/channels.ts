import { catalog } from '../../language/catalog.ts';
import en from './channels.en.json' with { type: 'json' };
import es from './channels.es.json' with { type: 'json' };

/** How channels are called where many are shown together. */
export const channelNames = catalog({ en, es });
