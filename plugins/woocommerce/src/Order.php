<?php

declare(strict_types=1);

namespace RecaudoWoo;

use function Recaudo\centavos;

/** Data that this plugin stores with a WooCommerce order, through getters, so that HPOS works. */
final class Order
{
    private const ATTEMPTS = '_recaudo_attempts';
    private const REVIEW = '_recaudo_review';
    private const REVIEWED = '_recaudo_reviewed';

    private function __construct(public readonly \WC_Order $order)
    {
    }

    /** Reads an order, bypassing all caches, because another process may have changed it. Null if missing. */
    public static function fresh(int $id): ?self
    {
        clean_post_cache($id);
        $cache = 'Automattic\\WooCommerce\\Caches\\OrderCache';
        if (class_exists($cache)) {
            wc_get_container()->get($cache)->remove($id);
        }
        $order = wc_get_order($id);
        if (!$order instanceof \WC_Order || $order->get_type() !== 'shop_order') {
            return null;
        }
        $order->read_meta_data(true);
        return new self($order);
    }

    public function total(): int
    {
        return centavos($this->order->get_total());
    }

    /** True once the shop counts the order as paid, even if it was refunded later. */
    public function isPaid(): bool
    {
        return $this->order->get_date_paid() !== null;
    }

    public function paidBy(): ?int
    {
        $isOurs = $this->order->get_payment_method() === 'recaudo';
        $id = (int) $this->order->get_transaction_id();
        return $this->isPaid() && $isOurs && $id > 0 ? $id : null;
    }

    /**
     * Returns the payment requests that the shop created for the order, oldest first: token, environment,
     * amount (centavos), fields, made_at, and once the service answered request_id and url.
     *
     * @return list<array<string, mixed>>
     */
    public function attempts(): array
    {
        $kept = $this->order->get_meta(self::ATTEMPTS);
        return is_array($kept) ? array_values($kept) : [];
    }

    public function lastAttempt(): ?array
    {
        $all = $this->attempts();
        return $all === [] ? null : end($all);
    }

    /** @return array<string, mixed>|null */
    public function attemptOf(string $token): ?array
    {
        return array_column($this->attempts(), null, 'token')[$token] ?? null;
    }

    /** Adds an attempt, or replaces the one with its token. */
    public function keep(array $attempt): void
    {
        $all = array_column($this->attempts(), null, 'token');
        $all[$attempt['token']] = $attempt;
        $this->order->update_meta_data(self::ATTEMPTS, array_values($all));
        $this->order->save();
    }

    public function drop(array $attempt): void
    {
        $all = array_column($this->attempts(), null, 'token');
        unset($all[$attempt['token']]);
        $this->order->update_meta_data(self::ATTEMPTS, array_values($all));
        $this->order->save();
    }

    /** Returns the concern for a person to act on, as `code:request`; null if there is none. */
    public function review(): ?string
    {
        $kept = $this->order->get_meta(self::REVIEW);
        return is_string($kept) && $kept !== '' ? $kept : null;
    }

    /** True for a concern that is waiting for a person, or that a person has dismissed. */
    public function knows(string $concern): bool
    {
        return in_array($concern, [...$this->reviewed(), $this->review()], true);
    }

    /** Records a concern once, and lists the order for review if requested. False if known. */
    public function ask(string $concern, string $sentence, bool $needsReview = true): bool
    {
        if ($this->knows($concern)) {
            return false;
        }
        if ($needsReview) {
            $this->order->update_meta_data(self::REVIEW, $concern);
        } else {
            $this->addReviewed($concern);
        }
        $this->order->save();
        $this->order->add_order_note($sentence);
        return true;
    }

    public function endReview(): void
    {
        $this->addReviewed($this->review());
        $this->order->delete_meta_data(self::REVIEW);
        $this->order->save();
    }

    private function addReviewed(?string $concern): void
    {
        $all = array_values(array_filter([...$this->reviewed(), $concern]));
        $this->order->update_meta_data(self::REVIEWED, $all);
    }

    /** @return list<string> */
    private function reviewed(): array
    {
        $kept = $this->order->get_meta(self::REVIEWED);
        return is_array($kept) ? $kept : [];
    }

    /** @return list<int> */
    public static function idsInReview(int $limit = 10): array
    {
        return wc_get_orders([
            'limit' => $limit,
            'return' => 'ids',
            'status' => 'any',
            'meta_key' => self::REVIEW,
            'meta_compare' => 'EXISTS',
        ]);
    }
}
