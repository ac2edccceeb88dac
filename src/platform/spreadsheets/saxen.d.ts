/** Types of the part of saxen that `xml.ts` uses, because the package has none. */
declare module 'saxen' {
  type Attributes = Record<string, string>;
  type Decode = (text: string) => string;

  export class Parser {
    on(
      event: 'openTag',
      tell: (name: string, attributes: () => Attributes, d: Decode) => void,
    ): this;
    on(event: 'closeTag', tell: (name: string) => void): this;
    on(event: 'text', tell: (text: string, decode: Decode) => void): this;
    on(event: 'comment' | 'cdata', tell: (text: string) => void): this;
    on(event: 'error' | 'warn', tell: (error: Error) => void): this;
    parse(xml: string): void;
  }
}
