import type { Client, Submittable } from 'pg';

/** Prepares a statement, and asks the server for the types of its parameters. */
export class Description implements Submittable {
  readonly text: string;
  readonly name: string;
  readonly types: Promise<readonly number[]>;
  readonly #answer = Promise.withResolvers<readonly number[]>();
  #types: readonly number[] = [];
  #stopListening: () => void = () => {};

  constructor(text: string, name: string) {
    this.text = text;
    this.name = name;
    this.types = this.#answer.promise;
  }

  submit(connection: Client['connection']): void {
    const learn = ({ dataTypeIDs }: { dataTypeIDs: number[] }): void => {
      this.#types = dataTypeIDs;
    };
    connection.once('parameterDescription', learn);
    this.#stopListening = () => connection.off('parameterDescription', learn);
    connection.parse({ name: this.name, text: this.text, types: [] }, true);
    connection.describe({ type: 'S', name: this.name }, true);
    connection.sync();
  }

  handleRowDescription(): void {}

  handleReadyForQuery(): void {
    this.#answer.resolve(this.#types);
  }

  handleError(error: unknown): void {
    this.#stopListening();
    this.#answer.reject(error);
  }
}
