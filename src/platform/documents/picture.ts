/** A picture of a document: its bytes are in it once, however often it is drawn. */
export type Picture = PDFKit.Mixins.ImageSrc;

/** Opens a picture once for a document: drawn from bytes, it would be embedded at every use. */
export const openPicture = (pdf: PDFKit.PDFDocument, bytes: Buffer): Picture =>
  // Missing from pdfkit's types, documented in its guide.
  (pdf as unknown as { openImage(bytes: Buffer): Picture }).openImage(bytes);
