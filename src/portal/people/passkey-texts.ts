import { catalog } from '../../language/catalog.ts';
import en from './passkey-texts.en.json' with { type: 'json' };
import es from './passkey-texts.es.json' with { type: 'json' };

export const passkeyTexts = catalog({ en, es });
