# The production image: the package of `npm pack` with its production dependencies, nothing else.
# How to build and run it: docs/how-to/run-in-containers.md
FROM node:26-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --ignore-scripts
RUN npm pack --silent
RUN mkdir /app && tar -xzf recaudo-*.tgz --strip-components=1 -C /app && cp package-lock.json /app/
WORKDIR /app
RUN npm sbom --package-lock-only --omit=dev --omit=optional --sbom-format=cyclonedx > sbom.cdx.json
RUN npm ci --omit=dev --omit=optional --ignore-scripts

FROM node:26-slim
LABEL org.opencontainers.image.title="Recaudo" \
      org.opencontainers.image.description="Payment collection service" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.cyclonedx.sbom="/app/sbom.cdx.json"
COPY --from=build /app /app
ENV HOST=0.0.0.0 METRICS_HOST=0.0.0.0 METRICS_PORT=9400 DATA_DIR=/tmp
WORKDIR /app
USER node
EXPOSE 8360 9400
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8360/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/recaudo.js"]
CMD ["serve"]
