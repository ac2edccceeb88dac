import { catalog } from '../../language/catalog.ts';
import en from './words.en.json' with { type: 'json' };
import es from './words.es.json' with { type: 'json' };

/** What the frame says, in both languages. */
export const words = catalog({ en, es });
