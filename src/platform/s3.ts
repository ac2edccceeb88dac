import { AwsClient } from 'aws4fetch';

/** An S3-compatible store. The bucket is in the path. */
export interface S3Settings {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const retries = 3;

/** Creates a client that signs calls and retries the store's failures. */
export const s3Client = ({ accessKeyId, secretAccessKey, region }: S3Settings): AwsClient =>
  new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries });
