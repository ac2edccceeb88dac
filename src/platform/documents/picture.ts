/** A picture embedded once in a document, however often it is drawn. */
export type Picture = PDFKit.Mixins.ImageSrc;

/** Opens a picture. Drawing it from its bytes instead would embed it each time. */
export const openPicture = (pdf: PDFKit.PDFDocument, bytes: Buffer): Picture =>
  // Missing from pdfkit's types, documented in its guide.
  (pdf as unknown as { openImage(bytes: Buffer): Picture }).openImage(bytes);
