use everypath_heap::subject;

#[subject]
mod subject {
    struct Root {
        value: Int,
        next: Ref<Node>,
    }

    struct Node {
        next: Ref<Node>,
    }

    impl Root {
        #[call]
        fn push(self) {
            self.value = std::cmp::max(self.value, 1);
        }
    }
}

fn main() {}
