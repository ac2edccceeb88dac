import { AwsClient } from 'aws4fetch';

/** An S3-compatible store, with its bucket in the path. */
export interface S3Settings {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const retries = 3;

/** The client that signs calls to such a store and repeats those that the store failed. */
export const s3Client = ({ accessKeyId, secretAccessKey, region }: S3Settings): AwsClient =>
  new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries });
